import type { Notice } from '@/core/events'
import { cache } from '@/db/cache'
import { findIdByUsername, findUser, type UserRow } from './queries'

/** Whoever comes into sight or leaves it changes the counts of everyone around them. */
const SHOWS_OR_HIDES = new Set(['profileVisibility', 'username', 'suspended'])

type Drop = { key(key: string): void; all(): void }

/** Which people a fact makes others than they were. */
export function dropChanged(fact: Notice, drop: Drop) {
  if (fact.type === 'user.updated') {
    if (fact.data.fields.some((field) => SHOWS_OR_HIDES.has(field))) drop.all()
    drop.key(fact.data.userId)
  }
  if (fact.type === 'user.seen') drop.key(fact.data.userId)
  if (fact.type === 'user.deleted' || fact.type === 'user.suspended') drop.all()
  if (fact.type === 'user.followed' || fact.type === 'user.unfollowed') {
    drop.key(fact.data.followerId)
    drop.key(fact.data.followeeId)
  }
  if (fact.type === 'badge.awarded' || fact.type === 'badge.revoked') drop.key(fact.data.userId)
  // Everyone who holds it has another score now.
  if (fact.type === 'badge.updated' || fact.type === 'badge.deleted') drop.all()
}

/** People as they are now, kept until a fact about them says otherwise. */
export const people = cache<UserRow | null>({ max: 20_000, load: findUser, drops: dropChanged })

/** Who has a name. An entry may be out of date: whoever uses it looks whether the person still has it. */
const holders = cache<string | null>({ max: 20_000, load: findIdByUsername, drops: () => {} })

export function personNamed(username: string): UserRow | null | Promise<UserRow | null> {
  const key = username.toLowerCase()
  const id = holders.get(key)
  if (id instanceof Promise || id === null) return lookUp(key)
  const person = people.get(id)
  if (person instanceof Promise || !holds(person, key)) return lookUp(key)
  return person
}

async function lookUp(key: string): Promise<UserRow | null> {
  const id = await holders.get(key)
  if (id === null) return null
  const person = await people.get(id)
  if (holds(person, key)) return person
  holders.drop.key(key)
  const holder = await holders.get(key)
  return holder === null ? null : people.get(holder)
}

const holds = (person: UserRow | null, key: string): person is UserRow =>
  person?.username?.toLowerCase() === key
