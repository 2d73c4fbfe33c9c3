import { now } from '@/core/clock'
import { conflict } from '@/core/errors'
import { isBlank } from '@/core/fields'
import { newId } from '@/core/ids'
import type { Tx } from '@/db/client'
import { emit } from '@/outbox/emit'
import { findIdByAddress, insertPerson, isHeldAddress } from '../queries'
import { type Names, usernamesFor } from './usernames'

const NAME_MAX = 100

/** Whoever lost their account to a thief tries this first: a new account would stand in the way of the old one. */
const HELD =
  'The account that had this address has got another one in the last seven days: sign in with that one, or undo the change by the link in the email about it'

/** The name of people who have not given one: their mail address must not show. */
export const NEWCOMER = 'New member'

/** Makes an account, or gives the one that somebody else has made for this address in the same moment. */
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
