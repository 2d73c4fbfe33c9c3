import type { Caller } from '@/core/caller'
import { db } from '@/db/client'
import { cache } from '@/outbox/cache'
import { isFollowing } from './queries'

const keyOf = (followerId: string, followeeId: string) => `${followerId} ${followeeId}`

const known = cache<boolean>({
  max: 20_000,
  load: (key) => isFollowing(db, ...(key.split(' ') as [string, string])),
  drops: ({ type, data }, drop) => {
    if (type === 'user.followed' || type === 'user.unfollowed')
      drop.key(keyOf(data.followerId, data.followeeId))
    if (type === 'user.deleted') drop.all()
  },
})

export const follows = ({ userId }: Caller, followeeId: string) => known.get(keyOf(userId, followeeId))
