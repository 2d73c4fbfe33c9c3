import type { Words } from '@/words/words'
import type { Link } from './message'

/** Mounted by the area of sign-in. */
export const LOGIN = '/login'

export const toLogin = ({ errors }: Words): Link => ({ href: LOGIN, label: errors.goToSignIn })

/** Asks for a name after the first sign-in. */
export const WELCOME = '/welcome'

export const welcomePath = (returnTo: string): string =>
  returnTo === '/' ? WELCOME : `${WELCOME}?returnTo=${encodeURIComponent(returnTo)}`

export const loginPath = (returnTo: string): string =>
  returnTo === '/' ? LOGIN : `${LOGIN}?returnTo=${encodeURIComponent(returnTo)}`
