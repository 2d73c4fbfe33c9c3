import type { BusMessage } from '@/core/domain-events'
import { cache } from '@/outbox/cache'
import { type EventWithGroup, findEvent } from './queries'

export const eventCache = cache<EventWithGroup | null>({
  max: 10_000,
  load: findEvent,
  drops: (message, drop) => {
    if ('eventId' in message.data) drop.key(message.data.eventId)
    else if (concernsGroups(message)) drop.all()
  },
})

/** Whether this message invalidates cached event lists. */
export const concernsEvents = (message: BusMessage) => 'eventId' in message.data || concernsGroups(message)

const concernsGroups = (message: BusMessage) =>
  message.type === 'group.updated' || message.type === 'group.deleted' || message.type === 'user.deleted'
