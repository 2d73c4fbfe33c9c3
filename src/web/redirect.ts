import { respond } from '@/http/respond'
import type { Visit } from '@/http/visit'

const HOME = '/'
/** The base to resolve against: a path stays under it, another host does not. */
const HERE = 'http://here.invalid'
/** Bounded, because mails store it; long enough for almost every authorization request. */
const LENGTH_MAX = 4000

/** A second slash, or what some parsers treat as one, would start a host name. */
const BEGINS = /^\/(?!\/|\\|%2f|%5c)/i
/** Paths that start a sign-in, which the author of a link must not trigger. */
const SIGN_IN_PATHS = '/auth/'
const ODD = /[\u0000-\u0020\u007f-\u009f\\]/

/** A path of this server that is safe to redirect to; otherwise the front page. */
export function ownPath(value: string | null | undefined): string {
  if (!value || value.length > LENGTH_MAX) return HOME
  const path = resolved(value)
  return path !== undefined && !path.startsWith(SIGN_IN_PATHS) && path.length <= LENGTH_MAX ? path : HOME
}

const isOwnPath = (value: string): boolean => resolved(value) !== undefined

function resolved(value: string): string | undefined {
  if (ODD.test(value) || !BEGINS.test(value)) return undefined
  const url = URL.parse(value, HERE)
  if (url === null || url.origin !== HERE) return undefined
  // Dots are resolved here, so `/.//evil.example` is recognized; the rest is ASCII, safe for a header.
  const path = url.pathname + url.search + url.hash
  return BEGINS.test(path) ? path : undefined
}

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
