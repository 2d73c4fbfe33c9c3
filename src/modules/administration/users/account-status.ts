import { deleteCredentialsOf } from '@/auth/queries'
import type { Role } from '@/core/caller'
import { now } from '@/core/clock'
import type { Tx } from '@/db/client'
import { endCreationsOfAppsOf } from '@/modules/access/developer-apps/pictures'
import { explainLastAdministrator } from '@/modules/people/users/administrators'
import { outdate } from '@/modules/people/users/follower-counts/count'
import { type UserRow, updateAccountStatusOf } from '@/modules/people/users/queries'
import { emit } from '@/outbox/emit'

export type AccountStatus = { role: Role; suspended: boolean }

export const accountStatusOf = ({ role, suspendedAt }: UserRow): AccountStatus => ({
  role,
  suspended: suspendedAt !== null,
})

/**
 * Changes the role of a locked person, suspends them or ends a suspension; follower counts around them are corrected after the
 * commit. Revokes sessions and tokens both times: a token created during the suspension must not become valid when it ends.
 */
export async function changeAccountStatus(
  tx: Tx,
  before: UserRow,
  { role, suspended }: Partial<AccountStatus>,
): Promise<UserRow> {
  const userId = before.id
  const after = await updateAccountStatusOf(tx, userId, {
    ...(role !== undefined && { role }),
    ...(suspended !== undefined && { suspendedAt: suspended ? now() : null }),
  }).catch(explainLastAdministrator)
  if (after.isPublic !== before.isPublic) await outdate(tx, userId)
  if (suspended !== undefined) await deleteCredentialsOf(tx, userId)
  if (suspended) {
    await endCreationsOfAppsOf(tx, userId)
    await emit(tx, 'user.suspended', { userId })
  }
  const fields = [...(role === undefined ? [] : ['role']), ...(suspended === false ? ['suspended'] : [])]
  if (fields.length > 0) await emit(tx, 'user.updated', { userId, fields })
  return after
}
