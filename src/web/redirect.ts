import { respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { isOwnPath } from './own-path'

/** 302 after a link, 303 after a form: never one that repeats the POST. */
export type RedirectStatus = 302 | 303

const HEADERS = { 'cache-control': 'no-store' }

/** Redirects only within this server, for any input. */
export function redirect(visit: Visit, status: RedirectStatus, path: string, cookies?: string[]): Response {
  if (!isOwnPath(path)) throw new Error('a redirect would have left this server')
  return redirectAway(visit, status, path, cookies)
}

/** Redirects to another site: a provider, or an OAuth application. */
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
