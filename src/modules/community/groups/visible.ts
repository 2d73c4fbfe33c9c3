import type { Caller } from '@/core/caller'
import { demandFound } from '@/core/demand-found'
import { type Db, db, type Tx } from '@/db/client'
import { groupNamed, type KnownGroup } from './cache'
import { findGroupWithRole, type GroupRow } from './queries'

/**
 * An unlisted group is there for its staff and for administrators; for everyone else it does not exist. Null is a
 * stranger.
 */
export function mayKnowGroup(
  reader: Db | Tx,
  caller: Caller | null,
  { id, isListed }: Pick<GroupRow, 'id' | 'isListed'>,
): boolean | Promise<boolean> {
  if (isListed || caller?.scopes.has('admin')) return true
  if (caller === null) return false
  return findGroupWithRole(reader, id, caller.userId).then((found) => (found?.role ?? null) !== null)
}

/** The group of that name, for those who may know of it. */
export function visibleGroup(caller: Caller | null, slug: string): KnownGroup | Promise<KnownGroup> {
  const found = groupNamed(slug)
  return found instanceof Promise
    ? found.then((known) => demandKnown(caller, known))
    : demandKnown(caller, found)
}

const demandKnown = (caller: Caller | null, found: KnownGroup | null) =>
  demandFound(found, found !== null && mayKnowGroup(db, caller, found.group), 'Group')
