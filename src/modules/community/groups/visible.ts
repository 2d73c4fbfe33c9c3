import type { Caller } from '@/core/caller'
import type { Db, Tx } from '@/db/client'
import { findGroupWithRole, type GroupRow } from './queries'

/** An unlisted group is there for its staff and for administrators; for everyone else it does not exist. */
export function mayKnowGroup(
  db: Db | Tx,
  caller: Caller,
  { id, isListed }: Pick<GroupRow, 'id' | 'isListed'>,
): boolean | Promise<boolean> {
  if (isListed || caller.scopes.has('admin')) return true
  return findGroupWithRole(db, id, caller.userId).then((found) => (found?.role ?? null) !== null)
}
