import type { Caller } from '@/core/caller'
import { newId } from '@/core/ids'
import { db, type Tx } from '@/db/client'
import { isFavorite } from '@/modules/community/favorites/queries'
import { demandQuotaForGroup } from '@/modules/community/groups/manage/queries'
import { findGroupWithRole } from '@/modules/community/groups/queries'
import { insertMember } from '@/modules/community/groups/staff/queries'
import type { StaffRole } from '@/modules/community/groups/staff/role'
import { cache } from '@/outbox/cache'
import { emit } from '@/outbox/emit'
import { findPendingClaim, raiseToOwner } from './queries'

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

export type GroupRelation = { isFavorite: boolean; role: StaffRole | null; hasAsked: boolean }

const keyOf = (userId: string, groupId: string) => `${userId} ${groupId}`

const relations = cache<GroupRelation>({
  max: 20_000,
  load: async (key) => {
    const [userId, groupId] = key.split(' ') as [string, string]
    const [favorite, found, claim] = await Promise.all([
      isFavorite(db, userId, groupId),
      findGroupWithRole(db, groupId, userId),
      findPendingClaim(db, groupId, userId),
    ])
    return { isFavorite: favorite, role: found?.role ?? null, hasAsked: claim !== undefined }
  },
  drops: ({ type, data }, drop) => {
    if (!/^(group|member)\./.test(type) || !('groupId' in data)) return
    if ('userId' in data && data.groupId !== null) drop.key(keyOf(data.userId, data.groupId))
    if (type === 'group.deleted') drop.all()
  },
})

export const relationToGroup = ({ userId }: Caller, groupId: string) => relations.get(keyOf(userId, groupId))
