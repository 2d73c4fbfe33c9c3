import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { now } from '@/core/clock'
import { notFound } from '@/core/errors'
import { line } from '@/core/fields'
import { db } from '@/db/client'
import { cache } from '@/outbox/cache'
import { concernsEvents, eventCache } from './cache'
import { presentEvent } from './present'
import { findNextEventId, hasSeat } from './queries'
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
    const found = id === null ? null : await eventCache.get(id)
    if (found === null) throw notFound('Event')
    return presentEvent(found, false)
  },
})

const nextEvents = cache<string | null>({
  max: 5000,
  maxAgeMs: 1000,
  load: (slug) => findNextEventId(db, slug, now()),
  drops: (message, drop) => {
    if (concernsEvents(message)) drop.all()
  },
})
