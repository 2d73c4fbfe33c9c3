import type { Caller } from '@/core/caller'
import type { Db, Tx } from '@/db/client'
import { mayKnowGroup } from '@/modules/community/groups/visible'
import type { KnownBadge } from './catalog/cache'
import { holds } from './queries'

/**
 * Hidden badges and badges of unlisted groups are visible only to holders, the group's staff and administrators; null is an
 * anonymous caller.
 */
export async function mayKnowBadge(
  db: Db | Tx,
  caller: Caller | null,
  { badge, group }: Pick<KnownBadge, 'badge' | 'group'>,
): Promise<boolean> {
  if (caller?.scopes.has('admin')) return true
  if (badge.hidden) return isHeldBy(db, caller, badge.id)
  if (group === null) return true
  return (await mayKnowGroup(db, caller, group)) || isHeldBy(db, caller, badge.id)
}

const isHeldBy = (db: Db | Tx, caller: Caller | null, badgeId: string) =>
  caller !== null && holds(db, badgeId, caller.userId)
