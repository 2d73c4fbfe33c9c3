import type { EventData } from '@/core/domain-events'
import { gather } from '@/mail/gathered/gather'
import { listener } from '@/outbox/listener'
import { newFollowerLetter } from './letters'

/** Whoever is followed hears of it, together with others who follow them that day, and of each follower once. */
export const followerMailListener = listener({
  name: 'follower-mail',
  on: ['user.followed'],
  react: (tx, { data }) => {
    const { followerId, followeeId } = data as EventData<'user.followed'>
    return gather(tx, newFollowerLetter, followeeId, followerId)
  },
})
