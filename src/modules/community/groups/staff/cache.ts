import { db } from '@/db/client'
import { cache } from '@/outbox/cache'
import { hasOwner } from './queries'

/** Whether a group has an owner. */
const owned = cache<boolean>({
  max: 5000,
  load: (groupId) => hasOwner(db, groupId),
  drops: ({ type, data }, drop) => {
    if (/^(member|group)\./.test(type) && 'groupId' in data && data.groupId) drop.key(data.groupId)
    // A deleted user may have owned any number of groups.
    if (type === 'user.deleted') drop.all()
  },
})

export const isOwned = (groupId: string) => owned.get(groupId)
