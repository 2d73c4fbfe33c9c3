import type { Caller } from '@/core/caller'
import { newId } from '@/core/ids'
import { transaction } from '@/db/transaction'
import { follow } from '@/modules/people/follows/follow'
import { cache } from '@/outbox/cache'
import type { OwnedPass } from '../passes/owner-shown'
import { findPairState, type PairState } from './queries'
import { connect, recordPerson } from './record'

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

export const pairState = (visitorId: string, ownerId: string) => states.get(keyOf(visitorId, ownerId))

/** Reads past the cache: another process may have connected them, and its message may be in flight. */
export function pairStateNow(visitorId: string, ownerId: string) {
  states.drop.key(keyOf(visitorId, ownerId))
  return pairState(visitorId, ownerId)
}

/** Connects a visitor with the owner. The state stays unconnected if the pass went out of use meanwhile. */
export async function meet({ pass, owner }: OwnedPass, caller: Caller): Promise<PairState> {
  if (pass.autoFollow && owner.isPublic && caller.scopes.has('user'))
    await meetAndFollow(pass.id, owner.id, caller)
  else await recordPerson({ passId: pass.id, ownerId: owner.id, visitor: caller.userId })
  return pairStateNow(caller.userId, owner.id)
}

/** Follows only on the first connection, so that an unfollow lasts. */
const meetAndFollow = (passId: string, ownerId: string, caller: Caller): Promise<void> =>
  transaction(async (tx) => {
    const [recorded] = await connect(tx, [{ id: newId(), passId, ownerId, visitor: caller.userId }])
    if (recorded?.isNew) await follow(tx, caller, ownerId)
  })
