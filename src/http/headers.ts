import { config } from '@/config/config'
import type { Verdict } from './limits/limiter'

export const EXPOSED_HEADERS =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id, X-Ignored-Parameters, ETag, Link, WWW-Authenticate, Content-Range'

/** Only configured origins may read an open path with credentials, so the answer varies by origin. */
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

const POLICY = 'content-security-policy'

type Own = Readonly<Record<string, string>>

/**
 * Constant headers of a kind of answer, built once: copying costs half of setting each. One set for paths open to any origin, one
 * for the others.
 */
export type HeaderSet = { open: Template; closed: Template }

/** Headers to copy into an answer, and the budget of the last one. */
export type Template = {
  headers: Headers
  limit: number
  remaining: number
  resetAt: number
  /** The same with that budget, once it occurred twice in a row. */
  withBudget: Headers | undefined
}

const template = (headers: Own): Template => ({
  headers: new Headers(headers),
  limit: -1,
  remaining: -1,
  resetAt: -1,
  withBudget: undefined,
})

export function headerSet(own: Own): HeaderSet {
  const { [POLICY]: policy = "default-src 'none'; frame-ancestors 'none'" } = own
  const frames = policy.includes("frame-ancestors 'self'") ? 'SAMEORIGIN' : 'DENY'
  const base = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    // X-Frame-Options cannot allow any origin, so it is omitted where the policy does.
    ...(!policy.includes('frame-ancestors *') && { 'x-frame-options': frames }),
    [POLICY]: policy,
    ...(config.https && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
  const open = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED_HEADERS }
  return { open: template({ ...base, ...open, ...own }), closed: template({ ...base, ...own }) }
}

const made = new WeakMap<Own, HeaderSet>()

export function setOf(own: Own): HeaderSet {
  let set = made.get(own)
  if (set === undefined) {
    set = headerSet(own)
    made.set(own, set)
  }
  return set
}

/**
 * Prebuilt headers for an answer with the same budget as the last one: most answers to a crowd are alike, and one copy is cheaper
 * than setting three.
 */
export function withSameBudget(
  template: Template,
  { limit, remaining, resetAtMs }: Verdict,
): Headers | undefined {
  const resetAt = Math.ceil(resetAtMs / 1000)
  if (template.remaining === remaining && template.resetAt === resetAt && template.limit === limit) {
    template.withBudget ??= setBudget(new Headers(template.headers), template)
    return template.withBudget
  }
  template.limit = limit
  template.remaining = remaining
  template.resetAt = resetAt
  template.withBudget = undefined
  return undefined
}

export function setBudget(
  headers: Headers,
  { limit, remaining, resetAt }: Pick<Template, 'limit' | 'remaining' | 'resetAt'>,
) {
  headers.set('x-ratelimit-limit', String(limit))
  headers.set('x-ratelimit-remaining', String(remaining))
  headers.set('x-ratelimit-reset', String(resetAt))
  return headers
}
