import { now, nowMs } from '@/core/clock'
import { conflict } from '@/core/errors'
import { newId } from '@/core/ids'
import { refusals } from '@/core/refusals'
import { db, type Tx } from '@/db/client'
import { clearedCookie, cookie, cookieOf } from '@/http/cookies'
import { signer } from '@/http/signed'
import { emit } from '@/outbox/emit'
import { register } from '../people/register'
import { lockIdByAddress } from '../queries'
import type { Account } from './accounts'
import type { Checks } from './client'
import type { Provider } from './definitions'
import { findReturnTo, insertIdentity, insertLoginState, lockAccount, seeIdentity } from './queries'

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

/** The person with a provider's account; registers an unknown one. */
export async function personWith(tx: Tx, provider: Provider, account: Account): Promise<string> {
  const known = await seen(tx, provider, account)
  if (known !== undefined) return known
  const holder = account.email === null ? undefined : await lockIdByAddress(tx, account.email)
  // Anyone can enter a foreign address at a provider; only a verified one counts.
  if (holder !== undefined && !account.isVerified) throw conflict(refusals.providerUnverified(provider.name))
  const userId = holder ?? (await registerWith(tx, account))
  await link(tx, provider, account, userId)
  return userId
}

const registerWith = (tx: Tx, { email, isVerified, username, name }: Account) =>
  register(tx, { email: isVerified ? email : null, login: username, name })

export async function linkTo(tx: Tx, provider: Provider, account: Account, userId: string): Promise<void> {
  const known = await seen(tx, provider, account)
  if (known === userId) return
  if (known !== undefined) throw conflict(refusals.providerAccountTaken(provider.name))
  await link(tx, provider, account, userId)
}

async function seen(tx: Tx, { id }: Provider, { subject, username, email }: Account) {
  await lockAccount(tx, id, subject)
  return seeIdentity(tx, id, subject, { username, email })
}

async function link(tx: Tx, provider: Provider, { subject, username, email }: Account, userId: string) {
  const row = { id: newId(), userId, provider: provider.id, subject, username, email }
  if (!(await insertIdentity(tx, row))) throw conflict(refusals.providerLinked(provider.name))
  await emit(tx, 'user.account_linked', { userId, provider: provider.id })
}
