import type { Notice } from '@/core/events'
import { cache } from '@/db/cache'
import { type EventWithGroup, findEvent } from './queries'

/** Events as they are now. */
export const eventMemory = cache<EventWithGroup | null>({
  max: 10_000,
  load: findEvent,
  drops: (fact, drop) => {
    if ('eventId' in fact.data) drop.key(fact.data.eventId)
    else if (concernsGroups(fact)) drop.all()
  },
})

/** Whether a list of events may look different after this. */
export const concernsEvents = (fact: Notice) => 'eventId' in fact.data || concernsGroups(fact)

const concernsGroups = (fact: Notice) =>
  fact.type === 'group.updated' || fact.type === 'group.deleted' || fact.type === 'user.deleted'
