import { type AppError, isAppError } from '@/core/errors'
import { log } from '@/core/log'
import { spoken } from '@/web/error-page'
import type { Words } from '@/words/words'
import type { Provider } from './definitions'

/** The page of a failed provider sign-in. Never repeats the provider's text. */
export type SignInError = { status: number; title: string; text: string; headers?: AppError['headers'] }

export const lostTrack = ({ name }: Provider, { access: { provider } }: Words): SignInError => ({
  status: 400,
  title: provider.startAgain,
  text: provider.lostTrack(name),
})

export const signedOut = ({ name }: Provider, { access: { provider } }: Words): SignInError => ({
  status: 400,
  title: provider.startAgain,
  text: provider.signedOut(name),
})

const declined = ({ name }: Provider, { access: { provider } }: Words): SignInError => ({
  status: 400,
  title: provider.unchanged,
  text: provider.declined(name),
})

const unreachable = ({ name }: Provider, { access: { provider } }: Words): SignInError => ({
  status: 502,
  title: provider.noAnswer(name),
  text: provider.tryAgain,
})

type LibraryError = { code?: unknown; error?: unknown }

/** Explains an error of the library; logs its code, and nothing from outside. */
export function signInErrorOf(provider: Provider, thrown: unknown, words: Words): SignInError {
  const { code, error } = thrown as LibraryError
  log.warn('sign-in: a provider did not lead to a sign-in', { provider: provider.id, fault: nameOf(code) })
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' && error === 'access_denied')
    return declined(provider, words)
  if (code === 'OAUTH_INVALID_RESPONSE') return lostTrack(provider, words)
  if (code === 'OAUTH_RESPONSE_BODY_ERROR' && error === 'invalid_grant') return lostTrack(provider, words)
  return unreachable(provider, words)
}

export function refusalAt(thrown: unknown, words: Words): SignInError {
  if (!isAppError(thrown)) throw thrown
  const { status, headers } = thrown
  return { status, title: words.errors.otherTitle, text: spoken(thrown, words), headers }
}

const nameOf = (code: unknown) => (typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code) ? code : 'unknown')
