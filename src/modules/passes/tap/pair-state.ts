import { cache } from '@/outbox/cache'
import { findPairState, type PairState } from './queries'

const keyOf = (visitorId: string, ownerId: string) => `${visitorId} ${ownerId}`

const states = cache<PairState>({
  max: 20_000,
  load: (key) => findPairState(...(key.split(' ') as [string, string])),
  drops: (message, drop) => {
    switch (message.type) {
      case 'meetpass.connected':
        return drop.key(keyOf(message.data.userId, message.data.connectedUserId))
      case 'connection.changed':
        drop.key(keyOf(message.data.visitorId, message.data.ownerId))
        return drop.key(keyOf(message.data.ownerId, message.data.visitorId))
      case 'user.followed':
      case 'user.unfollowed':
        return drop.key(keyOf(message.data.followerId, message.data.followeeId))
    }
  },
})

/** How a visitor and the owner of a pass stand to each other. */
export const pairState = (visitorId: string, ownerId: string) => states.get(keyOf(visitorId, ownerId))

/** The same after a tap: another process may have been faster, and its message may still be on its way. */
export function pairStateNow(visitorId: string, ownerId: string) {
  states.drop.key(keyOf(visitorId, ownerId))
  return pairState(visitorId, ownerId)
}
