import { join } from 'node:path'
import { freePort } from './redis'

/** Runs a command that is expected to end by itself: its exit code and the one sentence that it leaves. */
export async function explained(command: string, environment: Record<string, string>) {
  const child = Bun.spawn([process.execPath, command], {
    cwd: join(import.meta.dir, '../..'),
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      SECRET_KEY: 'Zk3vT9qLw7Yc2RbN8dXh5PfGm4JsUa6E',
      PORT: String(await freePort()),
      ...environment,
    },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const sentence = (await new Response(child.stderr).text()).trim()
  return { code: await child.exited, sentence }
}
