import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

function start(words: string[], environment: Record<string, string>, tree = root) {
  return Bun.spawn([process.execPath, 'src/folkmoot.ts', ...words], {
    cwd: tree,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

/** A command of an operator's, on a machine that has nothing but these settings. */
export async function command(words: string[], environment: Record<string, string>, tree = root) {
  const child = start(words, environment, tree)
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  return { output, errors, exitCode: await child.exited }
}

command.start = start
