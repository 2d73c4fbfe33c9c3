import { newId } from '@/core/ids'
import type { Tx } from '@/db/client'
import { demandQuotaForGroup } from '@/modules/community/groups/manage/queries'
import { insertMember } from '@/modules/community/groups/staff/queries'
import { emit } from '@/outbox/emit'
import { raiseToOwner } from './queries'

/** Makes a person an owner, regardless of their current role. The caller has locked the staff. */
export async function makeOwner(tx: Tx, groupId: string, userId: string): Promise<void> {
  const role = 'owner'
  const added = await insertMember(tx, { id: newId(), groupId, userId, role })
  const member = added ?? (await raiseToOwner(tx, groupId, userId))
  if (!member) return
  await demandQuotaForGroup(tx, userId, { more: 0 })
  await emit(tx, added ? 'member.added' : 'member.role_changed', {
    groupId,
    memberId: member.id,
    userId,
    role,
  })
  await emit(tx, 'group.claimed', { groupId, userId })
}
