import { config } from '@/config/config'
import { urgencyOf } from '@/config/journal'

const LEVELS = { debug: 10, info: 20, warn: 30, error: 40, silent: 100 }
const threshold = LEVELS[config.logLevel]

type Fields = Record<string, string | number | boolean | null | undefined>

let lines = ''
let stream: NodeJS.WriteStream & { fd: number } = process.stdout

/** A command's standard output holds only its result. */
export const logToStandardError = () => {
  stream = process.stderr
}

/** One JSON object per line on standard output. Callers pass ids and route patterns, never user input. */
export const log = {
  debug: (message: string, fields?: Fields) => write('debug', message, fields),
  info: (message: string, fields?: Fields) => write('info', message, fields),
  warn: (message: string, fields?: Fields) => write('warn', message, fields),
  error: (message: string, fields?: Fields) => write('error', message, fields),
}

const SPARING_MS = 30_000
const said = new Map<string, { at: number; leftOut: number }>()

/** Rate-limited warning: the same message and code is logged once per half minute, with the number of suppressed ones. */
export const warnSparingly = (message: string, fields?: Fields) => sparingly('warn', message, fields)

/** The same for errors that an operator must act on. */
export const errorSparingly = (message: string, fields?: Fields) => sparingly('error', message, fields)

function sparingly(level: 'warn' | 'error', message: string, fields: Fields = {}) {
  const key = `${message} ${fields.code}`
  const last = said.get(key)
  if (last && performance.now() - last.at < SPARING_MS) {
    last.leftOut += 1
    return
  }
  // Bounds the map; clearing it only repeats some warnings.
  if (said.size > 500) said.clear()
  said.set(key, { at: performance.now(), leftOut: 0 })
  log[level](message, { ...fields, ...(last && last.leftOut > 0 && { leftOut: last.leftOut }) })
}

/** A proxy requests these several times a second. */
const PROBES = new Set(['/healthz', '/readyz'])

/** Builds the request log line by hand, because every request writes one. */
export function logRequest(
  id: string,
  method: string,
  route: string,
  status: number,
  elapsedMs: number,
  userId: string | null,
  traceId?: string,
) {
  if (threshold > (PROBES.has(route) ? LEVELS.debug : LEVELS.info)) return
  const ms = Math.round(elapsedMs * 1000) / 1000
  const end = `${userId === null ? '' : `,"user":"${userId}"`}${traceId === undefined ? '}\n' : `,"trace":"${traceId}"}\n`}`
  append(`${beginning()}${id}${middle(method, route, status)}${ms}${end}`)
}

let begunAt = ''
let begun = ''
/** Cached per millisecond. */
function beginning(): string {
  const time = timestamp()
  if (time !== begunAt) {
    begunAt = time
    begun = `{"time":"${time}","level":"info","message":"request","id":"`
  }
  return begun
}

let last = { method: '', route: '', status: 0, text: '' }
/** Cached: consecutive requests often share a route. */
function middle(method: string, route: string, status: number): string {
  if (last.route !== route || last.status !== status || last.method !== method)
    last = {
      method,
      route,
      status,
      text: `","method":"${method}","route":"${route}","status":${status},"ms":`,
    }
  return last.text
}

function write(level: keyof typeof LEVELS, message: string, fields?: Fields) {
  if (LEVELS[level] < threshold) return
  append(`${urgencyOf(level, stream)}${JSON.stringify({ time: timestamp(), level, message, ...fields })}\n`)
  // It may be the last line of this process.
  if (level === 'error') flushLog()
}

/** Batches lines: each stream write costs as much as some requests. */
const GATHER_MS = 5
let gatherLength = 64 * 1024
/** The kernel writes up to 4,096 bytes to a pipe atomically. */
const WHOLE_LENGTH = 3500
let flushing: ReturnType<typeof setTimeout> | undefined

/** For processes that share an output: keeps each write atomic, so that lines do not interleave. */
export function shareOutput() {
  gatherLength = WHOLE_LENGTH
}

function append(line: string) {
  if (lines.length + line.length > gatherLength) flushLog()
  lines += line
  if (lines.length >= gatherLength) flushLog()
  else flushing ??= setTimeout(flushLog, GATHER_MS)
}

export function flushLog() {
  clearTimeout(flushing)
  flushing = undefined
  if (lines === '') return
  const chunk = lines
  lines = ''
  stream.write(chunk)
}

let stampedAt = 0
let stamp = ''
function timestamp() {
  const at = Date.now()
  if (at !== stampedAt) {
    stampedAt = at
    stamp = new Date(at).toISOString()
  }
  return stamp
}
