import { config } from '@/config/config'

export const EXPOSED_HEADERS =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id, X-Ignored-Parameters, ETag, Link, WWW-Authenticate, Content-Range'

/** With credentials only origins in configuration may read an open path, so the answer depends on who asks. */
export function allowCredentials({ headers }: Response, request: Request) {
  headers.append('vary', 'Origin')
  const origin = request.headers.get('origin')
  if (origin === null || !config.allowedOrigins.includes(origin)) return
  headers.set('access-control-allow-origin', origin)
  headers.set('access-control-allow-credentials', 'true')
}

export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Range, Mcp-Session-Id, Mcp-Protocol-Version',
  'access-control-max-age': '86400',
}
