import type { BusMessage, EventType } from '@/core/domain-events'
import { cache } from '@/outbox/cache'
import { type EventWithGroup, findEvent } from './queries'

type Happened = { type: string; data: unknown }

const OF_GROUP = new Set<string>([
  'event.published',
  'event.updated',
  'event.cancelled',
  'group.updated',
  'group.deleted',
] satisfies EventType[])

/** The group whose feeds and widgets a domain event invalidates. Changes to seats, staff and badges do not show there. */
export const groupToInvalidate = ({ type, data }: Happened): string | undefined =>
  OF_GROUP.has(type) ? (data as { groupId: string }).groupId : undefined

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
