import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

/** Starts a command as an operator gives it, with nothing in its environment but this. */
export const startFolkmoot = (words: string[], environment: Record<string, string>) =>
  Bun.spawn([process.execPath, 'scripts/folkmoot.ts', ...words], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      SECRET_KEY: 'Zk3vT9qLw7Yc2RbN8dXh5PfGm4JsUa6E',
      ...environment,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })

export async function runFolkmoot(words: string[], environment: Record<string, string>) {
  const child = startFolkmoot(words, environment)
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { output, errors, exitCode: await child.exited }
}
