import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { freePort } from './redis'
import { cloneDatabase } from './template'

const root = join(import.meta.dir, '../..')

export type ServerProcess = {
  url: string
  pid: number
  output: () => string
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Our own database for a test that breaks things. */
export const ownDatabase = () => cloneDatabase(process.env.TEST_DATABASE_URL as string)

/** A real server process, as an operator would start it. */
export async function startServer(environment: Record<string, string>, tree = root): Promise<ServerProcess> {
  const port = environment.PORT ?? String(await freePort())
  const child = spawnBun('src/server.ts', { WORKER: 'none', PORT: port, ...environment }, tree)
  const url = `http://127.0.0.1:${port}`
  await untilReady(url, child)
  return { url, ...child }
}

export const startWorker = (environment: Record<string, string>) => spawnBun('workers/main.ts', environment)

/** A test that fails half-way must not leave its servers behind. */
const running = new Set<Subprocess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

function spawnBun(script: string, environment: Record<string, string>, cwd = root) {
  let text = ''
  const child: Subprocess<'ignore', 'pipe', 'pipe'> = Bun.spawn([process.execPath, script], {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      FOLKMOOT_MODE: 'production',
      SECRET_KEY: 'Zk3vT9qLw7Yc2RbN8dXh5PfGm4JsUa6E',
      STORAGE_URL: process.env.STORAGE_URL,
      ...environment,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  running.add(child)
  void child.exited.then(() => running.delete(child))
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) text += new TextDecoder().decode(chunk)
  }
  const reading = Promise.all([collect(child.stdout), collect(child.stderr)])
  return {
    pid: child.pid,
    output: () => text,
    exited: child.exited,
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal)
      await child.exited
      await reading
      return child.exitCode
    },
  }
}

async function untilReady(url: string, child: { output: () => string; exited: Promise<number> }) {
  let gone = false
  void child.exited.then(() => {
    gone = true
  })
  for (let attempt = 0; attempt < 3000 && !gone; attempt += 1) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined)
    if (response?.status === 200) return
    await Bun.sleep(20)
  }
  throw new Error(`the server did not become ready:\n${child.output()}`)
}

/** Below the time that a test may take, so that its failure says what it waited for. */
const UNTIL_MS_MAX = 150_000
const PATIENCE = Number(process.env.TEST_PATIENCE ?? 1)

/** Waits for something that will be true soon, and longer in a run whose machine may be busy with other work. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs = 15_000,
): Promise<void> {
  const giveUpAt = performance.now() + Math.max(timeoutMs, Math.min(PATIENCE * timeoutMs, UNTIL_MS_MAX))
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`waited in vain until ${what}`)
    await Bun.sleep(20)
  }
}
