import { demandSameSite } from '@/auth/csrf'

/**
 * Refuses a form from another site, which could sign a person in as somebody else. No cookie is used here, so programs,
 * which send neither of these headers, may pass; a browser always sends one of them with a form.
 */
export function refuseOtherSites(request: Request) {
  if (request.headers.has('sec-fetch-site') || request.headers.has('origin')) demandSameSite(request)
}

/** Whether a link on another site led here. */
export const comesFromElsewhere = (request: Request) =>
  ['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '')
