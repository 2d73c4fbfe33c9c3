import { sourceOf } from '@/lifecycle/bundle'

type Reason = { fault: string; code?: string; reason?: string; constraint?: string; at?: string }

/** Error codes of PostgreSQL, sockets, Redis and S3, explained for the operator. */
const MEANINGS: [RegExp, string][] = [
  [/^(53100|ENOSPC|EDQUOT)$/, 'the disk is full'],
  [/^53200$/, 'the database is out of memory'],
  [/^53300$/, 'the database has no connection left'],
  [/^57P0[124]$/, 'the database was ended'],
  [/^57P03$/, 'the database is starting or stopping'],
  [/^57014$/, 'a statement took too long and was cancelled'],
  [/^55P03$/, 'a lock could not be had in time'],
  [/^25P0[34]$/, 'a transaction was idle for too long'],
  [/^25006$/, 'the database takes no writes from us'],
  [/^40(001|P01)$/, 'transactions were in each other’s way'],
  [/^DATABASE_SILENT$/, 'the database does not answer'],
  [/^COMMIT_SILENT$/, 'the database does not answer a commit: it may wait for a synchronous standby'],
  [/^POOL_BUSY$/, 'all connections to the database are in use'],
  [/^SHARE_BUSY$/, 'too many changes wait for the same row of the database'],
  [/^28P01$/, 'the database refuses the user or the password'],
  [/^28000$/, 'by its pg_hba.conf the database does not let this user in from here'],
  [/^3D000$/, 'the database does not exist'],
  [/^42501$/, 'the database user lacks rights'],
  [/^42(703|883|P01)$/, 'the schema is not the one that this release expects'],
  [/^58(030|P01)$/, 'the database cannot read or write its files'],
  [/^XX00[012]$/, 'the database reports damage'],
  [/^23/, 'a constraint was violated'],
  [/^22/, 'a value cannot be stored'],
  [/^(08...|CONNECTION_\w+|ECONNRESET|EPIPE)$/, 'the connection was lost'],
  [/^ECONNREFUSED$/, 'nothing listens at that address'],
  [/^(ETIMEDOUT|CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH)$/, 'the address cannot be reached'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'the name cannot be resolved'],
  [/^(EMFILE|ENFILE)$/, 'too many files are open'],
  [/^EACCES$/, 'access is not permitted'],
  [/^EAUTH$/, 'the mail server refuses the user or the password'],
  [/^EENVELOPE$/, 'the mail server refuses the sender or the recipient'],
  [/^EMESSAGE$/, 'the mail server refuses the mail'],
  [/^EPROTOCOL$/, 'the mail server refuses to talk'],
  [/^(ESOCKET|ECONNECTION|EDNS|ETLS)$/, 'the mail server cannot be reached'],
  [/^(NOAUTH|WRONGPASS|NOPERM)$/, 'Redis refuses the user or the password'],
  [/^OOM$/, 'Redis is out of memory'],
  [/^(READONLY|MISCONF|LOADING|MASTERDOWN)$/, 'Redis does not take writes now'],
  [/^(AWAY|TIMEOUT)$/, 'Redis does not answer'],
  [/^(SignatureDoesNotMatch|InvalidAccessKeyId|AccessDenied|HTTP_403)$/, 'the storage refuses the keys'],
  [/^NoSuchBucket$/, 'the bucket does not exist'],
  [/^RequestTimeTooSkewed$/, 'the clocks of this machine and of the storage differ'],
  [/^HTTP_3\d\d$/, 'the storage sends us to another address: check endpoint and region'],
]

/**
 * The reason of a failure for the log: its code and meaning. Never a library's message, which may hold a statement or user input;
 * without a known code, the source location says more.
 */
export function reasonOf(thrown: unknown): Reason {
  if (!(thrown instanceof Error)) return { fault: typeof thrown }
  const found = causes(thrown).find((error) => codeOf(error) !== undefined)
  const code = found && codeOf(found)
  const reason = MEANINGS.find(([pattern]) => code !== undefined && pattern.test(code))?.[1]
  const constraint = (found as { constraint_name?: unknown } | undefined)?.constraint_name
  return {
    fault: thrown.name,
    ...(code && { code }),
    ...(reason ? { reason } : { reason: messageOf(thrown), at: placeOf([...causes(thrown), calledFrom()]) }),
    ...(typeof constraint === 'string' && { constraint }),
  }
}

/** The stack of the caller of `reasonOf`. */
function calledFrom(): Error {
  const here = new Error()
  Error.captureStackTrace(here, reasonOf)
  return here
}

/** Drizzle wraps the driver's error, and connecting to several addresses collects one for each. */
export function causes(thrown: Error): Error[] {
  const found: Error[] = []
  for (let error: unknown = thrown; error instanceof Error && found.length < 8; error = error.cause)
    found.push(error, ...(error instanceof AggregateError ? error.errors : []))
  return found
}

function codeOf(error: Error): string | undefined {
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && /^\w{1,40}$/.test(code)) return code
  // Redis puts its code first; ioredis has its own messages for a timeout.
  if (error.name === 'ReplyError') return /^[A-Z]{2,20}\b/.exec(error.message)?.[0]
  if (error.name === 'MaxRetriesPerRequestError' || error.message === 'Connection is closed.') return 'AWAY'
  if (error.message.startsWith('Stream isn')) return 'AWAY'
  if (error.message === 'Command timed out') return 'TIMEOUT'
  return undefined
}

/** Messages of the engine and of our code name only code; those of libraries may repeat input. */
function messageOf(error: Error): string | undefined {
  const isEngine = /^(Type|Reference|Range)Error$/.test(error.name)
  const [thrownAt] = framesOf(error)
  const isOurs =
    /^(Error|Storage(Down|Full))$/.test(error.name) &&
    thrownAt !== undefined &&
    ownPlace(thrownAt) !== undefined
  return isEngine || isOurs ? error.message.slice(0, 300) : undefined
}

/**
 * The first frame of our code: file and function names, no input. If a library threw asynchronously, the frame of the caller of
 * `reasonOf`.
 */
function placeOf(errors: Error[]): string | undefined {
  for (const frame of errors.flatMap(framesOf)) {
    const place = ownPlace(frame)
    if (place !== undefined) return place
  }
}

/** Skips the message at the start of a stack: user input in it could look like a frame. */
function framesOf({ stack = '', message }: Error): string[] {
  const end = stack.indexOf(message) + message.length
  return stack
    .slice(end)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
}

const FRAME = /^\s+at (?:(?<name>.*?) \()?(?<file>[^()]+):(?<line>\d+):(?<column>\d+)\)?$/

/** The location of a frame of our own code; undefined for libraries and the runtime. */
function ownPlace(frame: string): string | undefined {
  const { name = '', file = '', line = '', column = '' } = FRAME.exec(frame)?.groups ?? {}
  const source = sourceOf(file, Number(line))
  if (!source || /node_modules|^(node|bun|native|internal):|^native$/.test(source)) return undefined
  const place = source === file ? file : `${source} in ${file}`
  return `at ${name || '<anonymous>'} (${place}:${line}:${column})`
}
