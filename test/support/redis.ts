import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { guard } from '@/lifecycle/guardian'
import { install } from './packages'

export type TestRedis = { url: string; port: number; pid: number | undefined; stop(): Promise<void> }

/** A Redis for the tests: the one named, one found, one installed, or none. */
export async function findRedis(folder: string): Promise<TestRedis | undefined> {
  const given = process.env.REDIS_URL
  if (given)
    return { url: given, port: Number(new URL(given).port || 6379), pid: undefined, stop: async () => {} }
  const binary = Bun.which('redis-server') ?? (install('redis-server') ? Bun.which('redis-server') : null)
  return binary ? startRedis(binary, folder) : undefined
}

/** Starts a server of our own on a free port; `port` starts it again where an earlier one was. */
export async function startRedis(
  binary: string,
  folder: string,
  port?: number,
  more: string[] = [],
): Promise<TestRedis> {
  const chosen = port ?? (await freePort())
  const settings = ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  return run(binary, chosen, [...settings, '--dir', folder, ...more])
}

/** A sentinel that watches a master alone, and makes a replica the master half a second after the end of that. */
export async function startSentinel(binary: string, folder: string, master: TestRedis): Promise<TestRedis> {
  const port = await freePort()
  const file = join(folder, `sentinel-${port}.conf`)
  await Bun.write(
    file,
    `port ${port}
bind 127.0.0.1
dir ${folder}
sentinel monitor mymaster 127.0.0.1 ${master.port} 1
sentinel down-after-milliseconds mymaster 500
sentinel failover-timeout mymaster 3000
`,
  )
  return run(binary, port, [file, '--sentinel'])
}

async function run(binary: string, chosen: number, args: string[]): Promise<TestRedis> {
  const child = spawn(binary, args, { stdio: 'ignore' })
  const letGo = child.pid ? guard(child.pid, 'process') : () => {}
  child.once('exit', letGo)
  await untilOpen(chosen, child)
  return {
    url: `redis://127.0.0.1:${chosen}`,
    port: chosen,
    pid: child.pid,
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve()
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

async function untilOpen(port: number, child: ChildProcess) {
  const closed = { data() {}, open() {}, close() {}, error() {} }
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (child.exitCode !== null) throw new Error('redis-server did not start')
    const socket = await Bun.connect({ hostname: '127.0.0.1', port, socket: closed }).catch(() => undefined)
    if (socket) return void socket.end()
    await Bun.sleep(20)
  }
  throw new Error('redis-server does not answer')
}
