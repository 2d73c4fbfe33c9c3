import { config } from '@/config/config'
import type { Visit } from '@/http/visit'
import type { Answer } from '@/web/page'
import { type RedirectStatus, redirectAway } from '@/web/redirect'
import { OAuthRefusal } from '../refusal'
import type { AuthorizationRequest } from './check-client'

/** The redirect to the application. `iss` names the issuer (RFC 9207). */
export function redirectAddress(
  { redirectUri, state }: AuthorizationRequest,
  answer: Record<string, string>,
): string {
  const fields = { ...answer, ...(state !== undefined && { state }), iss: config.authUrl }
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const joint = redirectUri.includes('?') ? '&' : '?'
  return `${redirectUri}${joint}${query.join('&')}`
}

export const redirectResponse = (
  visit: Visit,
  status: RedirectStatus,
  request: AuthorizationRequest,
  answer: Record<string, string>,
): Response => redirectAway(visit, status, redirectAddress(request, answer))

export const errorFields = ({ fault, description }: OAuthRefusal) => ({
  error: fault,
  error_description: description,
})

/** Runs work and redirects OAuth errors to the application. */
export async function answering(
  work: () => Promise<Answer>,
  tell: (refusal: OAuthRefusal) => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) throw error
    return tell(error)
  }
}
