import type { Link } from './message'

/** Where people sign in. The area that knows how is mounted there. */
export const LOGIN = '/login'

export const SIGN_IN: Link = { href: LOGIN, label: 'Go to sign-in' }

/** The sign-in that leads back to a path of ours. */
export const loginPath = (returnTo: string): string =>
  returnTo === '/' ? LOGIN : `${LOGIN}?returnTo=${encodeURIComponent(returnTo)}`
