import type { Caller } from '@/core/caller'
import { forbidden, notFound } from '@/core/errors'
import type { Db, Tx } from '@/db/client'
import { findGroupWithRole, type GroupRow } from './queries'

export type StaffRole = 'owner' | 'manager' | 'volunteer'

const RANK: Record<StaffRole, number> = { volunteer: 1, manager: 2, owner: 3 }

/** What a person on the staff may do, in words that a page can show. */
export const permissionsOf = (role: StaffRole) => ({
  editSettings: RANK[role] >= RANK.manager,
  manageMembers: RANK[role] >= RANK.manager,
  manageEvents: RANK[role] >= RANK.manager,
  manageBadges: RANK[role] >= RANK.manager,
  checkIn: true,
})

export type Managed = { group: GroupRow; role: StaffRole }

/**
 * The group, for those who may manage it: somebody without a role there learns nothing of it (404), somebody
 * with too low a role learns that (403). An administrator passes for an owner.
 */
export async function managedGroup(
  db: Db | Tx,
  caller: Caller,
  groupId: string,
  needed: StaffRole,
): Promise<Managed> {
  const found = await findGroupWithRole(db, groupId, caller.userId)
  const role = caller.scopes.has('admin') ? 'owner' : found?.role
  if (!found || !role) throw notFound('Group')
  if (RANK[role] < RANK[needed]) throw forbidden(`This needs the role ${needed} in the group`)
  return { group: found.group, role }
}
