import { join } from 'node:path'
import { freePort } from '../test/support/redis'
import { onServerCore } from './pin'
import { type Child, start } from './processes'

export type Server = { url: string; pid: number; readyMs: number; stop(): Promise<void> }

export type Surroundings = { folder: string; databaseUrl: string; secretKey: string; redisUrl?: string }

const READY_MS_MAX = 20_000
/** Whoever looks more often takes a core from the one that starts, and finds it 10 ms later. */
const LOOK_MS = 10

/** Folkmoot as an operator would start it, with logging on and limits that are counted but never reached. */
export async function startServer(
  surroundings: Surroundings,
  more: Record<string, string> = {},
  place = onServerCore,
): Promise<Server> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const startedAt = performance.now()
  const command = [process.execPath, join(import.meta.dir, '../src/server.ts')]
  // Several processes are for several cores.
  const child = start('PROCESSES' in more ? command : place(command), {
    stdout: 'ignore',
    // Not our own folder: its .env is somebody's and must not change what is measured.
    cwd: surroundings.folder,
    env: { ...environment(surroundings, port), ...more },
    stopSignal: 'SIGINT',
  })
  await untilReady(url, child)
  return { url, pid: child.pid, readyMs: performance.now() - startedAt, stop: child.stop }
}

/** Both the server and what fills its database know it. */
export const storageIn = (folder: string) => `file://${join(folder, 'uploads')}`

const environment = ({ folder, databaseUrl, secretKey, redisUrl }: Surroundings, port: number) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  DATABASE_URL: databaseUrl,
  SECRET_KEY: secretKey,
  PORT: String(port),
  STORAGE_URL: storageIn(folder),
  WORKER: 'none',
  RATE_LIMIT_USER_PER_HOUR: '1000000000',
  RATE_LIMIT_ANONYMOUS_PER_HOUR: '1000000000',
  ...(redisUrl && { REDIS_URL: redisUrl }),
})

async function untilReady(url: string, child: Child) {
  const giveUpAt = performance.now() + READY_MS_MAX
  while (performance.now() < giveUpAt) {
    if (child.exitCode !== null) throw new Error('The server did not start')
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.status === 200) return
    await Bun.sleep(LOOK_MS)
  }
  throw new Error('The server does not become ready')
}
