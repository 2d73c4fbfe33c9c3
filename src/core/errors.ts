import { config } from '@/config/config'
import { refusals, type Thing } from './refusals'
import { AGENT_SCOPES } from './scopes'

/** The closed catalogue of errors. Status codes appear only here and in `http/`. */
export const ERRORS = {
  validation_error: {
    status: 400,
    when: 'A field breaks its schema; the message names the field and the reason.',
  },
  bad_request: {
    status: 400,
    when: 'Malformed JSON, a wrong content type, a bad cursor, or a rule of the endpoint.',
  },
  unauthorized: { status: 401, when: 'No credential, or one that is unknown, expired or revoked.' },
  insufficient_scope: { status: 403, when: 'The token lacks the scope that `WWW-Authenticate` names.' },
  forbidden: {
    status: 403,
    when: 'A role or permission is missing, or a cookie was sent from another site.',
  },
  not_found: { status: 404, when: 'Missing, foreign or private.' },
  conflict: { status: 409, when: 'A duplicate, or the state does not allow it.' },
  gone: { status: 410, when: 'Expired, exhausted, used up, switched off or cancelled.' },
  precondition_failed: {
    status: 412,
    when: 'The tag in `If-Match` is no longer that of what `GET` gives here: read it again.',
  },
  payload_too_large: { status: 413, when: 'The body is over the limit.' },
  range_not_satisfiable: {
    status: 416,
    when: 'The `Range` begins after the end of the file; `Content-Range` says how long it is.',
  },
  rate_limited: { status: 429, when: 'Too many requests; `Retry-After` says when to come back.' },
  internal_error: { status: 500, when: 'Our fault. The message holds the request id and nothing else.' },
  unavailable: {
    status: 503,
    when: 'The database cannot be reached or the server is saturated; see `Retry-After`.',
  },
} as const

export type ErrorCode = keyof typeof ERRORS

/**
 * The state after a failed change. `refused`: nothing changed, a retry fails too. `unavailable`: nothing changed, a retry may
 * succeed. `unknown`: it may have committed, so undo nothing.
 */
export type Certainty = 'refused' | 'unavailable' | 'unknown'

const certaintyOfCode = (code: ErrorCode): Certainty => {
  if (code === 'internal_error') return 'unknown'
  return code === 'unavailable' || code === 'rate_limited' ? 'unavailable' : 'refused'
}

/** An error with a sentence for the caller. Its code is `appCode`, because Elysia interprets `error.code`. */
export class AppError extends Error {
  constructor(
    readonly appCode: ErrorCode,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** The invalid field and what it must be. Forms show it beside the field; the API has it in the message. */
    readonly about?: { field: string; reason: string },
    cause?: unknown,
    readonly certainty: Certainty = certaintyOfCode(appCode),
  ) {
    super(message, cause === undefined ? undefined : { cause })
  }

  get status() {
    return ERRORS[this.appCode].status
  }
}

export const isAppError = (error: unknown): error is AppError => error instanceof AppError

export const invalid = (message: string) => new AppError('validation_error', message)

export const invalidField = (field: string, reason: string) =>
  new AppError('validation_error', `${field} ${reason}`, {}, { field, reason })

export const badRequest = (message: string) => new AppError('bad_request', message)

/** A protected resource, with its metadata document (RFC 9728). */
export type Resource = '' | '/mcp'

/** Built once: unauthenticated requests of bots are the most frequent error. */
const unauthorizedAt = (resource: Resource) => {
  const document = `resource_metadata="${config.baseUrl}/.well-known/oauth-protected-resource${resource}"`
  const metadata = resource === '/mcp' ? `${document}, scope="${AGENT_SCOPES.join(' ')}"` : document
  return {
    noCredential: new AppError(
      'unauthorized',
      'Sign in, or send a token as "Authorization: Bearer <token>"',
      { 'www-authenticate': `Bearer ${metadata}` },
    ),
    badCredential: new AppError('unauthorized', 'This credential is unknown, expired or revoked', {
      'www-authenticate': `Bearer error="invalid_token", ${metadata}`,
    }),
    wrongResource: new AppError(
      'unauthorized',
      `This token was given for another resource: ask for one with resource=${config.baseUrl}${resource}`,
      {
        'www-authenticate': `Bearer error="invalid_token", error_description="The token was given for another resource", ${metadata}`,
      },
    ),
  }
}
const UNAUTHORIZED = { '': unauthorizedAt(''), '/mcp': unauthorizedAt('/mcp') }

/** `error="invalid_token"` only if a token was sent: without one, clients should just request a token. */
export const unauthorized = (sentToken: boolean, resource: Resource = '') =>
  sentToken ? UNAUTHORIZED[resource].badCredential : UNAUTHORIZED[resource].noCredential

/** A valid token for another resource. */
export const misdirected = (resource: Resource = '') => UNAUTHORIZED[resource].wrongResource

export const insufficientScope = (scope: string) => scopesMissing([scope], refusals.scopeMissing(scope))

/** The call needs more scopes than its action declares. */
export const scopesMissing = (scopes: string[], message: string) =>
  new AppError('insufficient_scope', message, {
    'www-authenticate': `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`,
  })

/** Names the scopes that an agent should request: those it has plus the missing one, because a new token replaces the old. */
export const stepUp = (needed: string, held: Iterable<string>) => {
  const scopes = [...new Set([...held, needed])].join(' ')
  return new AppError('insufficient_scope', refusals.scopeMissing(needed), {
    'www-authenticate': `Bearer error="insufficient_scope", scope="${scopes}", resource_metadata="${config.baseUrl}/.well-known/oauth-protected-resource/mcp"`,
  })
}

export const forbidden = (message: string) => new AppError('forbidden', message)

type ApiThing = 'Feed' | 'Upload address' | 'Failed work' | 'Schema'

/** A `Thing` has words for people; others appear in the API only. */
export const notFound = (thing: Thing | ApiThing) => new AppError('not_found', `${thing} not found`)

export const conflict = (message: string) => new AppError('conflict', message)

export const gone = (message: string) => new AppError('gone', message)

export const preconditionFailed = new AppError('precondition_failed', refusals.changedSince)

export const payloadTooLarge = (bytesMax: number) =>
  new AppError('payload_too_large', refusals.bodyTooLarge(bytesMax))

export const rangeNotSatisfiable = (size: number) =>
  new AppError('range_not_satisfiable', `The file ends after ${size} bytes`, {
    'content-range': `bytes */${size}`,
    'cache-control': 'no-store',
  })

export const inSeconds = (seconds: number) => (seconds === 1 ? 'in 1 second' : `in ${seconds} seconds`)

export const rateLimited = (retryAfterSeconds: number) =>
  new AppError('rate_limited', refusals.tooManyRequests(inSeconds(retryAfterSeconds)), {
    'retry-after': String(retryAfterSeconds),
  })

const SOON = { 'retry-after': '1' }

/** Hides the cause from the caller; the log has it. */
export const unavailable = (cause?: unknown) =>
  new AppError('unavailable', refusals.busy, SOON, undefined, cause)

/** The same for a change that may have committed. */
export const answerLost = (cause: unknown) =>
  new AppError('unavailable', refusals.busy, SOON, undefined, cause, 'unknown')

/** The same for a cause without an exception, by its code. */
export const unavailableBy = (code: string) => unavailable(Object.assign(new Error(code), { code }))
