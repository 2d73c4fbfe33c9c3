import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import type { Caller } from '@/core/caller'
import { now } from '@/core/clock'
import { notFound } from '@/core/errors'
import { line } from '@/core/fields'
import { db } from '@/db/client'
import { cache } from '@/outbox/cache'
import { concernsEvents } from './cache'
import { presentEvent } from './present'
import { type EventWithGroup, findNextEventId, hasSeat } from './queries'
import { EventDetail, EventParams } from './schema'
import { isStaff, visibleEvent } from './visible'

export const readEvent = action({
  name: 'readEvent',
  access: 'read:events',
  openOnSite: true,
  summary: 'Read an event',
  input: EventParams,
  output: EventDetail,
  errors: ['not_found'],
  run: (caller, { eventId }) => show(caller, eventId),
})

export const readNextEvent = action({
  name: 'readNextEvent',
  access: 'none',
  reads: true,
  summary: 'Read the next event of a group',
  input: Type.Object({ slug: line(1, 100) }),
  output: EventDetail,
  errors: ['not_found'],
  run: async (stranger, { slug }) => {
    const id = await nextEvents.get(slug.toLowerCase())
    if (id === null) throw notFound('Event')
    return show(stranger, id)
  },
})

/** Includes `onlineUrl` only for attendees and staff. */
async function show(caller: Caller | null, eventId: string): Promise<EventDetail> {
  const found = await visibleEvent(caller, eventId)
  const isOpen = caller !== null && found.event.onlineUrl !== null && (await mayJoin(caller, found))
  return presentEvent(found, isOpen)
}

const mayJoin = async (caller: Caller, { event, group }: EventWithGroup) =>
  (await hasSeat(event.id, caller.userId)) || isStaff(caller, group.id)

const nextEvents = cache<string | null>({
  max: 5000,
  maxAgeMs: 1000,
  load: (slug) => findNextEventId(db, slug, now()),
  drops: (message, drop) => {
    if (concernsEvents(message)) drop.all()
  },
})
