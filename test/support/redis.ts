import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { guard } from '@/lifecycle/guardian'

export type TestRedis = { url: string; port: number; pid: number | undefined; stop(): Promise<void> }

/** A Redis for the tests: the one named, one found, one installed, or none. */
export async function findRedis(folder: string): Promise<TestRedis | undefined> {
  const given = process.env.REDIS_URL
  if (given)
    return { url: given, port: Number(new URL(given).port || 6379), pid: undefined, stop: async () => {} }
  const binary = Bun.which('redis-server') ?? installRedis()
  return binary ? startRedis(binary, folder) : undefined
}

function installRedis(): string | null {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return null
  console.log('Installing redis-server…')
  const run = (...args: string[]) =>
    spawnSync('apt-get', args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      encoding: 'utf8',
    }).status === 0
  if (!run('install', '-y', 'redis-server') && !(run('update') && run('install', '-y', 'redis-server')))
    return null
  return Bun.which('redis-server')
}

/** Starts a server of our own on a free port; `port` starts it again where an earlier one was. */
export async function startRedis(binary: string, folder: string, port?: number): Promise<TestRedis> {
  const chosen = port ?? (await freePort())
  const child = spawn(
    binary,
    ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder],
    { stdio: 'ignore' },
  )
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
