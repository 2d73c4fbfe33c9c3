/** Runs a command. A mistake of the operator's is answered with its sentence, never with a stack trace. */
export async function runOrExplain(command: () => Promise<unknown>): Promise<void> {
  try {
    await command()
  } catch (error) {
    const sentence = sentenceFor(error)
    if (sentence === undefined) throw error
    console.error(`\n${sentence}\n`)
    process.exit(1)
  }
}

function sentenceFor(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.name === 'ConfigError' || error.name === 'EmbeddedPostgresError') return error.message
  const code =
    (error as NodeJS.ErrnoException).code ?? ((error.cause as NodeJS.ErrnoException | undefined)?.code || '')
  if (code === 'EADDRINUSE')
    return 'The port is in use: stop the other program, or set PORT to another number.'
  if (code === 'EACCES') return 'The port may not be used by this user: set PORT to a number from 1024 up.'
  if (/^(ECONNREFUSED|ENOTFOUND|CONNECT_TIMEOUT|EAI_AGAIN|28P01|28000|3D000)$/.test(code))
    return `The database of DATABASE_URL cannot be used (${code}): check that it runs, its name and its password.`
  return undefined
}
