import { type AppError, isAppError } from '@/core/errors'
import { log } from '@/core/log'
import type { Provider } from './definitions'

/** A page for a sign-in at a provider that failed. The provider's own words are never repeated. */
export type SignInError = { status: number; title: string; text: string; headers?: AppError['headers'] }

export const lostTrack = ({ name }: Provider): SignInError => ({
  status: 400,
  title: 'Please start again',
  text: `We lost track of what you began with ${name}: it took longer than ten minutes, or was begun in another window.`,
})

export const signedOut = ({ name }: Provider): SignInError => ({
  status: 400,
  title: 'Please start again',
  text: `You are not signed in any more as the person who wanted to link ${name}.`,
})

const declined = ({ name }: Provider): SignInError => ({
  status: 400,
  title: 'Nothing has changed',
  text: `You did not agree at ${name}. You can try again, or choose another way.`,
})

const unreachable = ({ name }: Provider): SignInError => ({
  status: 502,
  title: `${name} did not answer as it should`,
  text: `Try again in a moment, or choose another way.`,
})

type LibraryError = { code?: unknown; error?: unknown }

/** Explains an error of the library; its code goes to the log, and nothing that came from outside does. */
export function signInErrorOf(provider: Provider, thrown: unknown): SignInError {
  const { code, error } = thrown as LibraryError
  log.warn('sign-in: a provider did not lead to a sign-in', { provider: provider.id, fault: nameOf(code) })
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' && error === 'access_denied') return declined(provider)
  if (code === 'OAUTH_INVALID_RESPONSE') return lostTrack(provider)
  if (code === 'OAUTH_RESPONSE_BODY_ERROR' && error === 'invalid_grant') return lostTrack(provider)
  return unreachable(provider)
}

/** Explains a refusal of ours. */
export function refusalAt(thrown: unknown): SignInError {
  if (!isAppError(thrown)) throw thrown
  return { status: thrown.status, title: 'That did not work', text: thrown.message, headers: thrown.headers }
}

const nameOf = (code: unknown) => (typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code) ? code : 'unknown')
