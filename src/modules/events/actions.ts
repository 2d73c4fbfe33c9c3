import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { now } from '@/core/clock'
import { notFound } from '@/core/errors'
import { line } from '@/core/fields'
import { cache } from '@/db/cache'
import { db } from '@/db/client'
import { hasSeat } from '@/modules/rsvps/queries'
import { concernsEvents, eventMemory } from './memory'
import { presentEvent } from './present'
import { findNextEventId } from './queries'
import { EventDetail, EventParams } from './schema'
import { isStaff, visibleEvent } from './visible'

export const readEvent = action({
  name: 'readEvent',
  access: 'read:events',
  summary: 'Read an event',
  input: EventParams,
  output: EventDetail,
  errors: ['not_found'],
  run: async (caller, { eventId }) => {
    const found = await visibleEvent(caller, eventId)
    const mayJoin =
      found.event.onlineUrl !== null &&
      ((await hasSeat(eventId, caller.userId)) || (await isStaff(caller, found.group.id)))
    return presentEvent(found, mayJoin)
  },
})

export const readNextEvent = action({
  name: 'readNextEvent',
  access: 'none',
  summary: 'Read the next event of a group',
  input: Type.Object({ slug: line(1, 100) }),
  output: EventDetail,
  errors: ['not_found'],
  run: async (_caller, { slug }) => {
    const id = await nextEvents.get(slug.toLowerCase())
    const found = id === null ? null : await eventMemory.get(id)
    if (found === null) throw notFound('Event')
    return presentEvent(found, false)
  },
})

const nextEvents = cache<string | null>({
  max: 5000,
  maxAgeMs: 1000,
  load: (slug) => findNextEventId(db, slug, now()),
  drops: (fact, drop) => {
    if (concernsEvents(fact)) drop.all()
  },
})
