import { config } from '@/config'
import { respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { OAuthRefusal } from '../refusal'
import type { Door } from './door'

const HEADERS = { 'cache-control': 'no-store' }

/** Asked by a link it is 302, asked by a form 303: never one that would send the form along. */
export type RedirectStatus = 302 | 303

export const redirect = (visit: Visit, status: RedirectStatus, location: string): Response =>
  respond(visit, status, null, HEADERS, { location })

/** Sends the person back to the application. `iss` says whose answer it is (RFC 9207). */
export function sendBack(
  visit: Visit,
  status: RedirectStatus,
  { redirectUri, state }: Door,
  answer: Record<string, string>,
): Response {
  const fields = { ...answer, ...(state !== undefined && { state }), iss: config.authUrl }
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const joint = redirectUri.includes('?') ? '&' : '?'
  return redirect(visit, status, `${redirectUri}${joint}${query.join('&')}`)
}

/** Runs what may be refused in the protocol's words, and takes such a refusal to the application. */
export async function answering(
  visit: Visit,
  status: RedirectStatus,
  door: Door,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) throw error
    return sendBack(visit, status, door, { error: error.fault, error_description: error.description })
  }
}
