import type { Caller } from '@/core/caller'
import { notFound } from '@/core/errors'
import { personNamed } from './cache'
import type { UserRow } from './queries'

/**
 * A private profile, and that of a suspended person, is there for its owner and for administrators; for everyone else
 * it does not exist. Null is a stranger.
 */
export const mayKnow = (caller: Caller | null, user: { id: string; isPublic: boolean }) =>
  user.isPublic || (caller !== null && (user.id === caller.userId || caller.scopes.has('admin')))

/** The person of that name, for those who may know of them. */
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

/** The mail address is for its owner's session, or for a token with the scope. */
export const maySeeAddress = (caller: Caller) => caller.scopes.has('user:email')
