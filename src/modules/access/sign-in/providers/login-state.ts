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

/** The state of a sign-in while the person is at the provider. */
export type LoginState = Checks & {
  provider: string
  returnTo: string
  /** The person to link the account to; empty for a sign-in. */
  linkTo: string
}

/** The part in the cookie. `returnTo` is stored by us: it may exceed the size of a cookie. */
type Note = Omit<LoginState, 'returnTo'> & { id: string }

/** Keeps its old name, so that cookies of the previous release stay valid. */
const notes = signer('errand')

export async function loginStateCookie({ returnTo, ...loginState }: LoginState): Promise<string> {
  const id = newId()
  await insertLoginState(db, { id, returnTo, expiresAt: new Date(nowMs() + TEN_MINUTES_MS) })
  const { token } = await notes.sign({ ...loginState, id } satisfies Note, TEN_MINUTES_MS)
  return cookie(NAME, token, { maxAgeSeconds: TEN_MINUTES_MS / 1000, path: PATH })
}

export const loginStateCleared = () => clearedCookie(NAME, PATH)

/** Undefined for a cookie that is forged, expired, or of another provider. */
export async function loginStateOf(request: Request, provider: string): Promise<LoginState | undefined> {
  const opened = await notes.open(cookieOf(request, NAME) ?? '')
  if (opened === undefined || opened.expiresAt <= now()) return undefined
  const { id, ...loginState } = opened.value as Note
  if (loginState.provider !== provider) return undefined
  const returnTo = await findReturnTo(db, id)
  return returnTo === undefined ? undefined : { ...loginState, returnTo }
}
