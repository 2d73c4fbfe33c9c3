import { SESSION_COOKIE_SECONDS } from '@/auth/sessions'
import { type AppError, isAppError } from '@/core/errors'
import { refusalOf } from '@/db/conflicts'
import { cookie } from '@/http/cookies'
import { isForm } from '@/http/form'
import { plain } from '@/http/plain'
import { respond } from '@/http/respond'
import { PERSONAL } from '@/http/traits'
import type { Visit } from '@/http/visit'
import { messagePage } from './pages'

type Handler = (visit: Visit, params: Record<string, string>) => Promise<Response>

/**
 * A route for people: what is refused there is said on a page, which leads `back` or to the sign-in. Programs, which
 * send JSON, get JSON.
 */
export const page = (answer: Handler, back?: { href: string; label: string }) =>
  plain(async (visit, params) => {
    try {
      return await answer(visit, params)
    } catch (thrown) {
      const error = isAppError(thrown) ? thrown : refusalOf(thrown)
      if (error === undefined || isProgram(visit.request)) throw thrown
      const words = { ...wordsFor(error), ...(back && error.status !== 401 && { back }) }
      return messagePage(visit, error.status, words, error.headers)
    }
  }, PERSONAL)

export const isProgram = (request: Request) => request.method === 'POST' && !isForm(request)

const TITLES: Record<number, string> = {
  401: 'You are not signed in',
  403: 'This cannot be done',
  404: 'There is nothing here',
  410: 'This does not work any more',
  429: 'Please wait a moment',
  503: 'Please try again in a moment',
}

const wordsFor = ({ status, message }: AppError) => ({
  title: TITLES[status] ?? 'That did not work',
  // The usual sentence speaks of tokens, to programs.
  text: status === 401 ? 'Sign in to go on' : message,
})

const REDIRECT_HEADERS = { 'cache-control': 'no-store' }

export function redirect(
  visit: Visit,
  status: 302 | 303,
  location: string,
  cookies: string[] = [],
): Response {
  const response = respond(visit, status, null, REDIRECT_HEADERS, { location })
  for (const value of cookies) response.headers.append('set-cookie', value)
  return response
}

export const sessionCookie = (secret: string) =>
  cookie('session', secret, { maxAgeSeconds: SESSION_COOKIE_SECONDS })
