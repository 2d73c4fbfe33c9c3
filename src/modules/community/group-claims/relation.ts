import type { Caller } from '@/core/caller'
import { db } from '@/db/client'
import { isFavorite } from '@/modules/community/favorites/queries'
import { findGroupWithRole } from '@/modules/community/groups/queries'
import type { StaffRole } from '@/modules/community/groups/staff/role'
import { cache } from '@/outbox/cache'
import { findPendingClaim } from './queries'

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
