import { config } from '@/config'

const OPEN = [
  '/v1/',
  '/oauth/token',
  '/oauth/register',
  '/.well-known/',
  '/feeds/',
  '/schemas',
  '/openapi.json',
  '/uploads/',
]
const EXPOSED =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id, ETag, Link, WWW-Authenticate'

export const isOpenToOrigins = (path: string) =>
  path.startsWith('/v1/') || OPEN.some((prefix) => path.startsWith(prefix))

/** Any origin may call without credentials; with them only those in configuration. */
export function corsHeaders(headers: Record<string, string>, request: Request) {
  headers['access-control-expose-headers'] = EXPOSED
  headers['access-control-allow-origin'] = '*'
  if (config.allowedOrigins.length === 0) return
  headers.vary = 'Origin'
  const origin = request.headers.get('origin')
  if (origin === null || !config.allowedOrigins.includes(origin)) return
  headers['access-control-allow-origin'] = origin
  headers['access-control-allow-credentials'] = 'true'
}

export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, If-None-Match, Mcp-Session-Id, Mcp-Protocol-Version',
  'access-control-max-age': '86400',
}
