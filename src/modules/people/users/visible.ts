import type { Caller } from '@/core/caller'
import { notFound } from '@/core/errors'
import { personNamed } from './cache'
import type { UserRow } from './queries'

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
