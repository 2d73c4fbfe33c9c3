import { SESSION_COOKIE_SECONDS } from '@/auth/sessions'
import { cookie } from '@/http/cookies'
import { isProgram } from '@/http/form-body'
import type { Visit } from '@/http/visit'
import { welcomePath } from '@/web/login'
import { redirect } from '@/web/redirect'
import type { Started } from './start-session'

/** Sends a person who has signed in to `returnTo`, the first time by the page that asks for their name. */
export const goOn = (visit: Visit, { secret, isFirst }: Started, returnTo: string): Response =>
  redirect(visit, 303, isFirst && !isProgram(visit.request) ? welcomePath(returnTo) : returnTo, [
    sessionCookie(secret),
  ])

const sessionCookie = (secret: string) => cookie('session', secret, { maxAgeSeconds: SESSION_COOKIE_SECONDS })
