import { demandSameSite } from '@/auth/csrf'

/**
 * Another site may not sign a person in as somebody else. Nobody's cookie is used here, so programs, which send
 * neither of these headers, may pass; a browser always sends one of them with a form.
 */
export function refuseOtherSites(request: Request) {
  if (request.headers.has('sec-fetch-site') || request.headers.has('origin')) demandSameSite(request)
}

/** Whether a link on another site led here. */
export const comesFromElsewhere = (request: Request) =>
  ['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '')
