import type { Words } from '@/words/words'
import type { Link } from './message'

/** Where people sign in. The area that knows how is mounted there. */
export const LOGIN = '/login'

export const toLogin = ({ errors }: Words): Link => ({ href: LOGIN, label: errors.goToSignIn })

/** The sign-in that leads back to a path of ours. */
export const loginPath = (returnTo: string): string =>
  returnTo === '/' ? LOGIN : `${LOGIN}?returnTo=${encodeURIComponent(returnTo)}`
