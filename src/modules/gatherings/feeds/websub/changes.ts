import type { Tx } from '@/db/client'
import { groupToInvalidate } from '@/modules/gatherings/events/cache'
import { broadcast } from '@/outbox/broadcast'
import type { TakenEvent } from '@/outbox/queries'
import { feedOwnerToInvalidate } from '../invalidation'
import { type Changed, markDue } from './queries'

/**
 * Lets subscribers hear of what happened, in the transaction that takes it up. Many changes at once are one push: what is
 * sent is made when it is sent. While feeds name another hub it only becomes due, and is sent once they name ours again.
 */
export async function tellSubscribers(tx: Tx, events: TakenEvent[], at: Date): Promise<void> {
  const changed: Changed = {
    groupIds: idsOf(events, groupToInvalidate),
    userIds: idsOf(events, feedOwnerToInvalidate),
  }
  if (changed.groupIds.length + changed.userIds.length === 0) return
  if ((await markDue(tx, changed, at)) > 0) broadcast(tx, { type: 'feeds.due', data: {} })
}

const idsOf = (events: TakenEvent[], concerned: (event: TakenEvent) => string | undefined): string[] => [
  ...new Set(events.map(concerned).filter((id) => id !== undefined)),
]
