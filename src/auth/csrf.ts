import { forbidden } from '@/core/errors'
import { OWN_ORIGINS } from './origins'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A cookie travels with any site's request, so a write by cookie has to come from a page of ours. */
export function demandSameSite(request: Request) {
  if (!isSameSite(request)) throw forbidden('This change was asked for by another site')
}

export function isSameSite({ method, headers }: Request): boolean {
  if (SAFE.has(method)) return true
  const site = headers.get('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return true
  const origin = headers.get('origin')
  return origin !== null && OWN_ORIGINS.includes(origin)
}
