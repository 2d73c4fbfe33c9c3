import { config } from '@/config/config'
import { forbidden } from '@/core/errors'

/** Origins of our own pages, and of those that the operator trusts like them. */
export const OWN_ORIGINS: readonly string[] = [
  config.baseUrl,
  config.authUrl,
  ...(config.legacyBaseUrl === null ? [] : [config.legacyBaseUrl]),
  ...config.allowedOrigins,
]

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A cookie travels with any site's request, so a write by cookie has to come from a page of ours. */
export function demandSameSite(request: Request) {
  if (!isSameSite(request)) throw forbidden('This change was asked for by another site')
}

/**
 * Refuses a form from another site where nobody has to be signed in: it could sign a person in as somebody else, or change
 * what their browser keeps. No cookie is used, so programs, which send neither of these headers, may pass; a browser always
 * sends one of them with a form.
 */
export function refuseOtherSites(request: Request) {
  if (request.headers.has('sec-fetch-site') || request.headers.has('origin')) demandSameSite(request)
}

export function isSameSite({ method, headers }: Request): boolean {
  if (SAFE.has(method)) return true
  const site = headers.get('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return true
  const origin = headers.get('origin')
  return origin !== null && OWN_ORIGINS.includes(origin)
}
