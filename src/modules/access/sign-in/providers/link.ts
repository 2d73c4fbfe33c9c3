import { conflict } from '@/core/errors'
import { newId } from '@/core/ids'
import { refusals } from '@/core/refusals'
import type { Tx } from '@/db/client'
import { emit } from '@/outbox/emit'
import { register } from '../people/register'
import { lockIdByAddress } from '../queries'
import type { Account } from './accounts'
import type { Provider } from './definitions'
import { insertIdentity, lockAccount, seeIdentity } from './queries'

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
