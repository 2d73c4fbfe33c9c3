import { config } from '@/config/config'
import { logRequest } from '@/core/log'
import { isLegacyHost } from './address'
import { allowCredentials, setBudget, setOf, withSameBudget } from './headers'
import { countRequest } from './metrics/requests'
import { isDraining } from './quiesce'
import { pathOf, type Visit } from './visit'

export const JSON_TYPE = 'application/json; charset=utf-8'

export type Tagged = { body: string | Uint8Array; etag: string }

type Own = Readonly<Record<string, string>>
type Body = string | Uint8Array | Blob | ReadableStream<Uint8Array> | null

/** Constant records only: their header sets are built once. */
export const JSON_HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'private, no-cache' }
const NO_HEADERS = {}

/** The one place that sets an answer's headers and logs the request. `kind` is a constant; per-answer headers go in `more`. */
export function respond(
  visit: Visit,
  status: number,
  body: Body,
  kind: Own = NO_HEADERS,
  more?: Own,
): Response {
  const { request, budget } = visit
  const { isOpen } = visit.traits
  const template = isOpen ? setOf(kind).open : setOf(kind).closed
  const sameBudget = budget === null ? undefined : withSameBudget(template, budget)
  const headers = sameBudget ?? template.headers
  // Written into the template, and overwritten by the next answer: an answer without headers of its own allocates none.
  headers.set('x-request-id', visit.id)
  // For HEAD the server sends the headers with the length and omits the body itself.
  const response = new Response(body, { status, headers })
  if (budget !== null && sameBudget === undefined) setBudget(response.headers, template)
  if (isOpen && config.allowedOrigins.length > 0) allowCredentials(response, request)
  if (visit.ignored !== undefined) response.headers.set('x-ignored-parameters', visit.ignored)
  if (visit.traits.namesSession) nameSession(response, request)
  if (isLegacyHost(request))
    response.headers.set('link', `<${config.baseUrl}${pathOf(request.url)}>; rel="canonical"`)
  if (more !== undefined) for (const name in more) response.headers.set(name, more[name] as string)
  // A client with keep-alive would send its next request into a closing socket.
  if (isDraining()) response.headers.set('connection', 'close')
  finish(visit, status)
  return response
}

const SESSION = /^[\x21-\x7e]{1,200}$/

/** The server keeps no agent sessions, but clients expect their `Mcp-Session-Id` back, even with errors. */
function nameSession({ headers }: Response, request: Request) {
  const session = request.headers.get('mcp-session-id')
  if (session !== null && SESSION.test(session)) headers.set('mcp-session-id', session)
}

/** JSON with an ETag; 304 if the reader has the same bytes. */
export function respondJson(visit: Visit, status: number, value: unknown, more?: Own): Response {
  const body = JSON.stringify(value)
  const { method } = visit.request
  if (status !== 200 || (method !== 'GET' && method !== 'HEAD'))
    return respond(visit, status, body, JSON_HEADERS, more)
  return respondTagged(visit, tagged(body), JSON_HEADERS, more)
}

export const respondJsonTagged = (visit: Visit, answer: Tagged, more?: Own) =>
  respondTagged(visit, answer, JSON_HEADERS, more)

export function respondTagged(visit: Visit, { body, etag }: Tagged, kind: Own, more?: Own): Response {
  const known = visit.request.headers.get('if-none-match')
  const isKnown = known !== null && matches(known, etag)
  const response = respond(visit, isKnown ? 304 : 200, isKnown ? null : body, kind, more)
  response.headers.set('etag', etag)
  return response
}

export const tagged = (body: string | Uint8Array): Tagged => ({
  body,
  etag: `"${Bun.hash.wyhash(body).toString(36)}"`,
})

export const matches = (known: string, etag: string) =>
  known === etag ||
  known === '*' ||
  (known.length < 4000 && known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))

function finish({ id, request, route, startedAt, visitor, trace }: Visit, status: number) {
  const ms = performance.now() - startedAt
  const userId = typeof visitor === 'object' ? visitor.userId : null
  logRequest(id, request.method, route, status, ms, userId, trace?.id)
  countRequest(request.method, route, status, ms)
}
