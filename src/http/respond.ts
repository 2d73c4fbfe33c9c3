import { config } from '@/config'
import { logRequest } from '@/log'
import { corsHeaders, isOpenToOrigins } from './cors'
import { isDraining } from './drain'
import { isLegacyHost } from './hosts'
import { countRequest } from './metrics'
import type { Visit } from './visit'

export const JSON_TYPE = 'application/json; charset=utf-8'

type Body = string | Uint8Array | Blob | null

/** The one place where an answer gets its headers and the request its line in the log. */
export function respond(
  visit: Visit,
  status: number,
  body: Body,
  own: Readonly<Record<string, string>> = {},
): Response {
  const headers: Record<string, string> = {
    'x-request-id': visit.id,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  }
  if (config.https) headers['strict-transport-security'] = 'max-age=31536000; includeSubDomains'
  const { budget } = visit
  if (budget !== null) {
    headers['x-ratelimit-limit'] = String(budget.limit)
    headers['x-ratelimit-remaining'] = String(budget.remaining)
    headers['x-ratelimit-reset'] = String(Math.ceil(budget.resetAtMs / 1000))
  }
  if (isOpenToOrigins(visit.path)) corsHeaders(headers, visit.request)
  if (isLegacyHost(visit.request)) headers.link = `<${config.baseUrl}${visit.path}>; rel="canonical"`
  for (const name in own) headers[name] = own[name] as string
  // A client that keeps its connection would send its next request into a closing socket.
  if (isDraining()) headers.connection = 'close'
  finish(visit, status)
  return new Response(visit.request.method === 'HEAD' ? null : body, { status, headers })
}

/** JSON with an ETag; a reader who has these very bytes gets 304 instead. */
export function respondJson(
  visit: Visit,
  status: number,
  value: unknown,
  own: Readonly<Record<string, string>> = {},
): Response {
  const body = JSON.stringify(value)
  const { method } = visit.request
  if (status !== 200 || (method !== 'GET' && method !== 'HEAD'))
    return respond(visit, status, body, { ...JSON_HEADERS, ...own })
  return respondTagged(visit, body, { ...JSON_HEADERS, ...own })
}

export function respondTagged(
  visit: Visit,
  body: string | Uint8Array,
  own: Readonly<Record<string, string>>,
): Response {
  const etag = `"${Bun.hash.wyhash(body).toString(36)}"`
  const headers = { ...own, etag }
  const known = visit.request.headers.get('if-none-match')
  return known !== null && matches(known, etag)
    ? respond(visit, 304, null, headers)
    : respond(visit, 200, body, headers)
}

const JSON_HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'private, no-cache' }

const matches = (known: string, etag: string) =>
  known === etag ||
  known === '*' ||
  (known.length < 4000 && known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))

function finish(visit: Visit, status: number) {
  const { visitor } = visit
  logRequest(
    visit.id,
    visit.request.method,
    visit.route,
    status,
    visit.startedAt,
    typeof visitor === 'object' ? visitor.userId : null,
  )
  countRequest(visit.request.method, visit.route, status, performance.now() - visit.startedAt)
}
