import { now, nowMs } from '@/core/clock'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { clearedCookie, cookie, cookieOf } from '@/http/cookies'
import { signer } from '@/http/signed'
import type { Checks } from './client'
import { findReturnTo, insertLoginState } from './queries'

const NAME = 'sign_in'
const PATH = '/auth/'
const TEN_MINUTES_MS = 10 * 60 * 1000

/** The login state: what is kept while a person is away at a provider. */
export type LoginState = Checks & {
  provider: string
  returnTo: string
  /** The person to link the account to; empty for a sign-in. */
  linkTo: string
}

/** The part that the browser carries. `returnTo` stays with us: it may be longer than a cookie can be. */
type Note = Omit<LoginState, 'returnTo'> & { id: string }

/** The purpose keeps its first name, so that cookies of the release before still open. */
const notes = signer('errand')

export async function loginStateCookie({ returnTo, ...loginState }: LoginState): Promise<string> {
  const id = newId()
  await insertLoginState(db, { id, returnTo, expiresAt: new Date(nowMs() + TEN_MINUTES_MS) })
  const { token } = await notes.sign({ ...loginState, id } satisfies Note, TEN_MINUTES_MS)
  return cookie(NAME, token, { maxAgeSeconds: TEN_MINUTES_MS / 1000, path: PATH })
}

export const loginStateCleared = () => clearedCookie(NAME, PATH)

/** Undefined for a cookie that we did not sign, of another provider, or too old. */
export async function loginStateOf(request: Request, provider: string): Promise<LoginState | undefined> {
  const opened = await notes.open(cookieOf(request, NAME) ?? '')
  if (opened === undefined || opened.expiresAt <= now()) return undefined
  const { id, ...loginState } = opened.value as Note
  if (loginState.provider !== provider) return undefined
  const returnTo = await findReturnTo(db, id)
  return returnTo === undefined ? undefined : { ...loginState, returnTo }
}
