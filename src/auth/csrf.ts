import { forbidden } from '@/core/errors'
import { OWN_ORIGINS } from './origins'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A cookie travels with any site's request, so a write by cookie has to come from a page of ours. */
export function demandSameSite(request: Request) {
  if (SAFE.has(request.method)) return
  const site = request.headers.get('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return
  const origin = request.headers.get('origin')
  if (origin !== null && OWN_ORIGINS.includes(origin)) return
  throw forbidden('This change was asked for by another site')
}
