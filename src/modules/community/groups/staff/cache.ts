import { db } from '@/db/client'
import { cache } from '@/outbox/cache'
import { hasOwner } from './queries'

/** Whether anyone answers for a group, by its id. */
const owned = cache<boolean>({
  max: 5000,
  load: (groupId) => hasOwner(db, groupId),
  drops: ({ type, data }, drop) => {
    if (/^(member|group)\./.test(type) && 'groupId' in data && data.groupId) drop.key(data.groupId)
    // Whoever is deleted may have been the owner of any number of groups.
    if (type === 'user.deleted') drop.all()
  },
})

export const isOwned = (groupId: string) => owned.get(groupId)
