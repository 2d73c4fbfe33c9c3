import type { Administrator } from '@/core/caller'
import { now } from '@/core/clock'
import { conflict, notFound } from '@/core/errors'
import { refusals } from '@/core/refusals'
import { audit } from '@/db/audit'
import type { Tx } from '@/db/client'
import { lockStaff } from '@/modules/community/groups/staff/queries'
import { decideClaim, findClaim, type ListedClaim, lockPerson } from './queries'

type Decision = { status: 'approved' | 'rejected'; notes: string | null }

/** Lock order is group, user, claim, as in the deletion of groups and accounts. */
export async function decide(
  tx: Tx,
  caller: Administrator,
  requestId: string,
  { status, notes }: Decision,
): Promise<ListedClaim> {
  const { group, user } = await known(tx, requestId)
  await lockStaff(tx, group.id)
  const person = await lockPerson(tx, user.id)
  const decided = await decideClaim(tx, requestId, {
    status,
    decidedAt: now(),
    decidedBy: caller.userId,
    decisionNotes: notes,
  })
  const claim = await known(tx, requestId)
  if (!decided) throw conflict(refusals.requestDecided)
  if (status === 'approved' && person?.suspendedAt !== null) throw conflict(refusals.requesterSuspended)
  await audit(tx, caller, {
    action: status === 'approved' ? 'group_claim.approve' : 'group_claim.reject',
    targetType: 'group_claim',
    targetId: requestId,
    changes: { groupId: group.id, userId: user.id, status },
  })
  return claim
}

async function known(tx: Tx, requestId: string): Promise<ListedClaim> {
  const claim = await findClaim(tx, requestId)
  if (!claim) throw notFound('Claim request')
  return claim
}
