import { SESSION_COOKIE_SECONDS } from '@/auth/sessions'
import { cookie } from '@/http/cookies'
import { isProgram } from '@/http/form-body'
import type { Visit } from '@/http/visit'
import { welcomePath } from '@/web/login'
import { redirect } from '@/web/redirect'
import type { Started } from './start-session'

/** Redirects to `returnTo` after sign-in, the first time via the page that asks for a name. */
export const goOn = (visit: Visit, { secret, isFirst }: Started, returnTo: string): Response =>
  redirect(visit, 303, isFirst && !isProgram(visit.request) ? welcomePath(returnTo) : returnTo, [
    sessionCookie(secret),
  ])

const sessionCookie = (secret: string) => cookie('session', secret, { maxAgeSeconds: SESSION_COOKIE_SECONDS })
