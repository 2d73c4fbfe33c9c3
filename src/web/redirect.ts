import { respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { isOwnPath } from './own-path'

/** Asked by a link it is 302, asked by a form 303: never one that would send the form along. */
export type RedirectStatus = 302 | 303

const HEADERS = { 'cache-control': 'no-store' }

/** Sends a person on to a page of this server, and nowhere else, whatever a caller made of it. */
export function redirect(visit: Visit, status: RedirectStatus, path: string, cookies?: string[]): Response {
  if (!isOwnPath(path)) throw new Error('a redirect would have left this server')
  return redirectAway(visit, status, path, cookies)
}

/** Sends a person to another site: to a provider, or to the application that they answered. */
export function redirectAway(
  visit: Visit,
  status: RedirectStatus,
  location: string,
  cookies: string[] = [],
): Response {
  const response = respond(visit, status, null, HEADERS, { location })
  for (const value of cookies) response.headers.append('set-cookie', value)
  return response
}
