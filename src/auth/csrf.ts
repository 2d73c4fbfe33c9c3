import { config } from '@/config/config'
import { forbidden } from '@/core/errors'
import { refusals } from '@/core/refusals'

/** Origins of our own pages, and of those that the operator trusts. */
export const OWN_ORIGINS: readonly string[] = [
  config.baseUrl,
  config.authUrl,
  ...(config.legacyBaseUrl === null ? [] : [config.legacyBaseUrl]),
  ...config.allowedOrigins,
]

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Browsers send cookies with any site's request, so a write by cookie must come from our own page. */
export function demandSameSite(request: Request) {
  if (!isSameSite(request)) throw forbidden(refusals.otherSite)
}

/**
 * Refuses a cross-site form where no sign-in is needed: it could sign a person in to another account, or change their browser's
 * settings. Programs send neither header and may pass; a browser always sends one of them with a form.
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
