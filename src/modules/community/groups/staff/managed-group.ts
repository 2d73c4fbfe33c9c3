import type { Caller } from '@/core/caller'
import { forbidden, notFound } from '@/core/errors'
import { refusals } from '@/core/refusals'
import type { Db, Tx } from '@/db/client'
import { findGroupWithRole, type GroupRow } from '../queries'
import { reaches, type StaffRole } from './role'

export type Managed = { group: GroupRow; role: StaffRole }

/** Returns 404 for callers without a role and 403 if the role is too low. Administrators count as owners. */
export async function managedGroup(
  db: Db | Tx,
  caller: Caller,
  groupId: string,
  needed: StaffRole,
): Promise<Managed> {
  const found = await findGroupWithRole(db, groupId, caller.userId)
  const role = caller.scopes.has('admin') ? 'owner' : found?.role
  if (!found || !role) throw notFound('Group')
  if (!reaches(role, needed)) throw forbidden(refusals.roleNeeded(needed))
  return { group: found.group, role }
}
