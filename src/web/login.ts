import type { Words } from '@/words/words'
import type { Link } from './message'

/** Where people sign in. The area that knows how is mounted there. */
export const LOGIN = '/login'

export const toLogin = ({ errors }: Words): Link => ({ href: LOGIN, label: errors.goToSignIn })

/** Where people are asked for their name after their first sign-in. */
export const WELCOME = '/welcome'

/** The page that asks for a name, and leads on to a path of ours. */
export const welcomePath = (returnTo: string): string =>
  returnTo === '/' ? WELCOME : `${WELCOME}?returnTo=${encodeURIComponent(returnTo)}`

/** The sign-in that leads back to a path of ours. */
export const loginPath = (returnTo: string): string =>
  returnTo === '/' ? LOGIN : `${LOGIN}?returnTo=${encodeURIComponent(returnTo)}`
