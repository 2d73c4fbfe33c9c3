import { SESSION_COOKIE_SECONDS } from '@/auth/sessions'
import { cookie } from '@/http/cookies'

export const sessionCookie = (secret: string) =>
  cookie('session', secret, { maxAgeSeconds: SESSION_COOKIE_SECONDS })
