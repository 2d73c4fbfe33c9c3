/** Runs a program to its end and gives back what it said; throws when it failed. */
export async function run(
  command: string[],
  options: { input?: string; env?: Record<string, string> } = {},
): Promise<string> {
  const child = Bun.spawn(command, {
    stdin: options.input === undefined ? 'ignore' : new TextEncoder().encode(options.input),
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...options.env },
  })
  const [output, errors] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}\n${output}\n${errors}`)
  return output
}
