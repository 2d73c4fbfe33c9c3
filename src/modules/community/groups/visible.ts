import type { Caller } from '@/core/caller'
import type { Db, Tx } from '@/db/client'
import { findGroupWithRole, type GroupRow } from './queries'

/**
 * An unlisted group is there for its staff and for administrators; for everyone else it does not exist. Null is a
 * stranger.
 */
export function mayKnowGroup(
  db: Db | Tx,
  caller: Caller | null,
  { id, isListed }: Pick<GroupRow, 'id' | 'isListed'>,
): boolean | Promise<boolean> {
  if (isListed || caller?.scopes.has('admin')) return true
  if (caller === null) return false
  return findGroupWithRole(db, id, caller.userId).then((found) => (found?.role ?? null) !== null)
}
