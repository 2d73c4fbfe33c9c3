import type { Caller } from '@/core/caller'
import { notFound } from '@/core/errors'
import { isId } from '@/core/ids'
import type { Tx } from '@/db/client'
import { personNamed } from './cache'
import { findPerson, type UserRow } from './queries'

/** Locks the user with that id or username. A username that was reassigned meanwhile is not found. */
export async function lockNamed(
  tx: Tx,
  named: string,
  lock: (tx: Tx, id: string) => Promise<UserRow | undefined>,
): Promise<UserRow> {
  const found = await findPerson(tx, named)
  const user = found && (await lock(tx, found.id))
  if (!user || !(isId(named) || user.username?.toLowerCase() === named.toLowerCase())) throw notFound('User')
  return user
}

/** Private and suspended profiles are visible only to their owner and administrators; null is an anonymous caller. */
export const mayKnow = (caller: Caller | null, user: { id: string; isPublic: boolean }) =>
  user.isPublic || (caller !== null && (user.id === caller.userId || caller.scopes.has('admin')))

/** Async only if not cached: promises cost 4 % of `GET /v1/users/{username}`. */
export function visiblePerson(caller: Caller | null, username: string): UserRow | Promise<UserRow> {
  const person = personNamed(username)
  return person instanceof Promise
    ? person.then((known) => demandKnown(caller, known))
    : demandKnown(caller, person)
}

function demandKnown(caller: Caller | null, person: UserRow | null): UserRow {
  if (person === null || !mayKnow(caller, person)) throw notFound('User')
  return person
}

/** For the owner's session, or a token with the scope. */
export const maySeeAddress = (caller: Caller) => caller.scopes.has('user:email')
