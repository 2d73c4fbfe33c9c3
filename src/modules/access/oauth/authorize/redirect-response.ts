import { config } from '@/config/config'
import { respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { OAuthRefusal } from '../refusal'
import type { AuthorizationRequest } from './check-client'

const HEADERS = { 'cache-control': 'no-store' }

/** Asked by a link it is 302, asked by a form 303: never one that would send the form along. */
export type RedirectStatus = 302 | 303

export const redirect = (visit: Visit, status: RedirectStatus, location: string): Response =>
  respond(visit, status, null, HEADERS, { location })

/** Where an answer to the application goes. `iss` says whose answer it is (RFC 9207). */
export function redirectAddress(
  { redirectUri, state }: AuthorizationRequest,
  answer: Record<string, string>,
): string {
  const fields = { ...answer, ...(state !== undefined && { state }), iss: config.authUrl }
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const joint = redirectUri.includes('?') ? '&' : '?'
  return `${redirectUri}${joint}${query.join('&')}`
}

/** Sends the person back to the application. */
export const redirectResponse = (
  visit: Visit,
  status: RedirectStatus,
  request: AuthorizationRequest,
  answer: Record<string, string>,
): Response => redirect(visit, status, redirectAddress(request, answer))

export const errorFields = ({ fault, description }: OAuthRefusal) => ({
  error: fault,
  error_description: description,
})

/** Runs what may be refused in the protocol's words, and takes such a refusal to the application. */
export async function answering(
  work: () => Promise<Response>,
  tell: (refusal: OAuthRefusal) => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) throw error
    return tell(error)
  }
}
