import { type BusMessage, showsOrHides } from '@/core/domain-events'
import { cache } from '@/outbox/cache'
import { findIdByUsername, findUser, type UserRow } from './queries'

type Drop = { key(key: string): void; all(): void }

/** Invalidates the users that a message changes. */
export function dropChanged(message: BusMessage, drop: Drop) {
  if (message.type === 'user.updated' || message.type === 'user.seen') drop.key(message.data.userId)
  // Follower counts of related users changed.
  if (showsOrHides(message) || message.type === 'followers.counted') drop.all()
  if (message.type === 'user.followed' || message.type === 'user.unfollowed') {
    drop.key(message.data.followerId)
    drop.key(message.data.followeeId)
  }
  if (message.type === 'badge.awarded' || message.type === 'badge.revoked') drop.key(message.data.userId)
  // The scores of all holders changed.
  if (/^badge\.(updated|deleted|settled)$/.test(message.type)) drop.all()
}

export const people = cache<UserRow | null>({ max: 20_000, load: findUser, drops: dropChanged })

/** User ids by username. Entries may be stale: readers verify that the user still has the name. */
const holders = cache<string | null>({ max: 20_000, load: findIdByUsername, drops: () => {} })

/** Async only if not cached, as `visiblePerson` is. */
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
