import { urgencyOf } from '@/config/journal'

/** Runs a command. Explains an operator's mistake in a sentence, never with a stack trace. */
export async function runOrExplain(command: () => Promise<unknown>): Promise<void> {
  try {
    await command()
  } catch (error) {
    const sentence = sentenceFor(error)
    if (sentence === undefined) throw error
    console.error(`\n${urgencyOf('error', process.stderr)}${sentence}\n`)
    process.exit(1)
  }
}

/** What an operator can do about an error; undefined for a bug. */
export function sentenceFor(error: unknown): string | undefined {
  const missing = missingPackage(error)
  if (missing !== undefined)
    return `A package of this release is not installed (${missing}): run "bun install --frozen-lockfile --production" in the folder of the code, and start again.`
  if (!(error instanceof Error)) return undefined
  if (error.name === 'ConfigError' || error.name === 'EmbeddedPostgresError') return error.message
  const code = codeOf(error)
  if (code === 'EADDRINUSE') return 'PORT is in use: stop the other program, or set PORT to another number.'
  const check = CHECKS.find(([pattern]) => pattern.test(code))?.[1]
  if (check !== undefined) return `The database of DATABASE_URL cannot be used (${code}): check ${check}.`
  if (/CERT|ALTNAME|SIGNATURE/.test(code))
    return `The certificate of the database is not trusted (${code}): give sslrootcert in DATABASE_URL, or use sslmode=require.`
  if (SLOW.test(code))
    return `The database does not answer in time (${code}): this machine, or that of the database, is too busy. Start again when it is quieter.`
  return REFUSED[code]
}

/** Timeouts that outlasted the patience of a start. */
const SLOW = /^(DATABASE_SILENT|COMMIT_SILENT|POOL_BUSY|SHARE_BUSY|57014|CONNECTION_\w+)$/

/** Drizzle wraps the driver's error, and our own errors have a cause. */
function codeOf(error: Error): string {
  for (let current: unknown = error, depth = 0; current instanceof Error && depth < 5; depth += 1) {
    const { code, cause } = current as NodeJS.ErrnoException
    if (typeof code === 'string') return code
    current = cause
  }
  return ''
}

/** Bun throws no Error here. A missing file of our own is a bug. */
function missingPackage(thrown: unknown): string | undefined {
  const { code, specifier } = (thrown ?? {}) as { code?: unknown; specifier?: unknown }
  const isMissing = /^(ERR_)?MODULE_NOT_FOUND$/.test(String(code)) && typeof specifier === 'string'
  return isMissing && !/^(\.|\/|@\/)/.test(specifier) ? specifier : undefined
}

/** What may block access to a database. */
const CHECKS: [RegExp, string][] = [
  [
    /^(ECONNREFUSED|ENOTFOUND|CONNECT_TIMEOUT|EAI_AGAIN)$/,
    'that it runs, its host and port, and that it can be reached from here',
  ],
  [/^(28P01|3D000)$/, 'its user, its password, and the name of the database'],
  [
    /^28000$/,
    'pg_hba.conf on its machine, which needs a line for this database, this user and the address of this machine (then "select pg_reload_conf()"), that the user exists, and whether the line wants sslmode=require',
  ],
]

/** Errors of PostgreSQL at the start, by SQLSTATE. */
const REFUSED: Record<string, string> = {
  '25006':
    'No server that DATABASE_URL names takes writes (25006): promote one of them ("Standby and promotion" in docs/operations/growing.md), or name the primary.',
  '42501':
    'The user of DATABASE_URL lacks rights on what is in its database (42501): make it the owner of the database and of its tables.',
  '42P01':
    'The database lacks tables that this release needs (42P01): run "folkmoot migrate", or start the server once.',
  '42703':
    'The database lacks columns that this release needs (42703): run "folkmoot migrate", or start the server once.',
  '53300':
    'The server of DATABASE_URL has no connection left (53300): raise max_connections there, or lower DATABASE_POOL.',
  '53100': 'The disk of the database is full (53100): free some space and start again.',
  '55P03':
    'A table stayed in use for three seconds, so the database was not brought up to date (55P03): start again in a quiet moment.',
}
