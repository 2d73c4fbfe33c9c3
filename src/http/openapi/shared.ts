import { ERRORS, type ErrorCode } from '@/core/errors'
import { describeScope, SCOPE_NAMES } from '@/core/scopes'
import { refusalExamples } from './examples'
import type { Json } from './schemas'

const RESPONSE_NAMES: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  416: 'RangeNotSatisfiable',
  429: 'RateLimited',
  500: 'InternalError',
  503: 'Unavailable',
}

export const refused = (code: ErrorCode): Json => ({
  $ref: `#/components/responses/${RESPONSE_NAMES[ERRORS[code].status]}`,
})

/** Browsers get the error as a page on routes for people. */
export const orOnPage = (response: Json): Json =>
  typeof response.$ref === 'string' ? { $ref: `${response.$ref}${ON_PAGE}` } : response

const ON_PAGE = 'OrPage'

export function errorResponses(): Json {
  const byStatus = Map.groupBy(Object.entries(ERRORS), ([, { status }]) => status)
  return Object.fromEntries(
    [...byStatus].flatMap(([status, errors]) => {
      const name = RESPONSE_NAMES[status] as string
      const said = {
        description: errors.map(([code, { when }]) => `\`${code}\`: ${when}`).join(' '),
        headers: headers(
          ...(status === 401 || status === 403 ? ['WWW-Authenticate'] : []),
          ...(status === 429 || status === 503 ? ['Retry-After'] : []),
        ),
        content: {
          'application/json': {
            schema: errorSchema(errors.map(([code]) => code)),
            examples: refusalExamples(status),
          },
        },
      }
      const shown = { ...said, content: { ...said.content, 'text/html': { schema: { type: 'string' } } } }
      return [
        [name, said],
        [name + ON_PAGE, shown],
      ]
    }),
  )
}

const errorSchema = (codes: string[]) => ({
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'For people.' },
    code: { type: 'string', enum: codes, description: 'For programs.' },
  },
})

export const headers = (...more: string[]) =>
  Object.fromEntries(
    ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id', ...more].map(
      (name) => [name, { $ref: `#/components/headers/${name}` }],
    ),
  )

export const NOT_MODIFIED: Json = {
  description: 'Not modified: the `ETag` in `If-None-Match` is current.',
  headers: headers('ETag'),
}

const whole = (description: string) => ({ description, schema: { type: 'integer' } })
const word = (description: string) => ({ description, schema: { type: 'string' } })

export const HEADERS = {
  'X-RateLimit-Limit': whole('Requests allowed per hour.'),
  'X-RateLimit-Remaining': whole('Requests left in this window.'),
  'X-RateLimit-Reset': whole('When the window ends, in Unix seconds.'),
  'X-Request-Id': word('Mention it when you report a problem.'),
  'Retry-After': whole('Seconds to wait.'),
  ETag: word('Send it as `If-None-Match` to get 304 if nothing has changed.'),
  'X-Ignored-Parameters': word('Query parameters that were sent and mean nothing here.'),
  'WWW-Authenticate': word('What is missing: a credential, or the scope that it names.'),
}

export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes retries safe: the same key with the same request runs once, and its response is replayed for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

export const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of a `GET` at this address. If the resource has changed since, nothing happens and the response is 412.',
  schema: { type: 'string' },
}

export const securitySchemes = () => ({
  token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'fm_pat_…',
    description: `A personal access token. Scopes:\n\n${SCOPE_NAMES.map((name) => `- \`${name}\`: ${describeScope(name)}`).join('\n')}`,
  },
  session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'The first-party browser session.' },
})
