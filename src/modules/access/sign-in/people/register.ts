import { now } from '@/core/clock'
import { conflict } from '@/core/errors'
import { isBlank } from '@/core/fields'
import { newId } from '@/core/ids'
import { refusals } from '@/core/refusals'
import type { Tx } from '@/db/client'
import { emit } from '@/outbox/emit'
import { findIdByAddress, insertPerson, isHeldAddress } from '../queries'
import { type Names, usernamesFor } from './usernames'

const NAME_MAX = 100

/** The victim of an account theft tries this first: a new account would block recovery of the old one. */
const HELD = refusals.addressMoved

/** A placeholder: the mail address must not show. */
export const NEWCOMER = 'New member'

/** Creates an account, or returns the one that a concurrent request created for this address. */
export async function register(
  tx: Tx,
  { email, ...names }: Names & { email: string | null },
): Promise<string> {
  const id = newId()
  for (const username of usernamesFor(names)) {
    if (await insertPerson(tx, { id, name: displayName(names.name), username, email })) break
    const holder = email === null ? undefined : await findIdByAddress(tx, email)
    if (holder !== undefined) return holder
  }
  if (email !== null && (await isHeldAddress(tx, email, now()))) throw conflict(HELD)
  await emit(tx, 'user.registered', { userId: id })
  return id
}

function displayName(given: string | null): string {
  const name = (given ?? '')
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim()
  return name === '' || isBlank(name) || name.includes('@')
    ? NEWCOMER
    : [...name].slice(0, NAME_MAX).join('').trim()
}
