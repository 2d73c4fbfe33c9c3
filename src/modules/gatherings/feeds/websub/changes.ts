import type { Tx } from '@/db/client'
import { broadcast } from '@/outbox/broadcast'
import type { TakenEvent } from '@/outbox/queries'
import { type Changed, markDue } from './queries'

/** Domain events after which feeds show something else: of a group, or one person's own. */
const OF_GROUP = new Set([
  'event.published',
  'event.updated',
  'event.cancelled',
  'group.updated',
  'group.deleted',
])
const OF_PERSON = new Set([
  'rsvp.confirmed',
  'rsvp.waitlisted',
  'rsvp.promoted',
  'rsvp.cancelled',
  'group.favorited',
  'group.unfavorited',
  'user.suspended',
  'user.deleted',
  'feed_token.rotated',
])

/**
 * Lets subscribers hear of what happened, in the transaction that takes it up. Many changes at once are one push: what is
 * sent is made when it is sent. While feeds name another hub it only becomes due, and is sent once they name ours again.
 */
export async function tellSubscribers(tx: Tx, events: TakenEvent[], at: Date): Promise<void> {
  const changed: Changed = {
    groupIds: idsOf(events, OF_GROUP, 'groupId'),
    userIds: idsOf(events, OF_PERSON, 'userId'),
  }
  if (changed.groupIds.length + changed.userIds.length === 0) return
  if ((await markDue(tx, changed, at)) > 0) broadcast(tx, { type: 'feeds.due', data: {} })
}

const idsOf = (events: TakenEvent[], types: ReadonlySet<string>, field: string): string[] => [
  ...new Set(
    events
      .filter(({ type }) => types.has(type))
      .map(({ data }) => (data as Record<string, unknown>)[field])
      .filter((id) => typeof id === 'string'),
  ),
]
