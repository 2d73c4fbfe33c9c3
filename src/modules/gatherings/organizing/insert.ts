import { now } from '@/core/clock'
import { conflict, notFound } from '@/core/errors'
import { newId } from '@/core/ids'
import { refusals } from '@/core/refusals'
import { timeZoneOf } from '@/core/time-zones'
import type { Tx } from '@/db/client'
import { type EventRow, lockEvent } from '@/modules/gatherings/events/queries'
import { overAt } from '@/modules/gatherings/events/time'
import { emit } from '@/outbox/emit'
import { insertRow } from './queries'

const KEPT = [
  'title',
  'description',
  'timezone',
  'eventType',
  'onlineUrl',
  'photoUrl',
  'tags',
  'maxAttendees',
  'venueName',
  'venueAddress',
  'venueCity',
  'venueState',
  'venuePostalCode',
  'venueCountry',
  'venueLatitude',
  'venueLongitude',
] as const satisfies readonly (keyof EventRow)[]

/** Each start, and the same local time in the following weeks. */
export const weekly = (starts: readonly Date[], weeks: number, timezone: string): Date[] =>
  starts.flatMap((start) =>
    Array.from({ length: weeks }, (_, week) => dateOf(local(start, timezone).add({ weeks: week }))),
  )

/** A draft copy without RSVPs that ends at the same local time as the original. */
export function copyAt(original: EventRow, startTime: Date): Partial<EventRow> {
  const endTime = original.endTime && endOfCopy(original, original.endTime, startTime)
  const kept = Object.fromEntries(KEPT.map((name) => [name, original[name]])) as Partial<EventRow>
  return { ...kept, startTime, endTime, overAt: overAt(startTime, endTime), status: 'draft' }
}

/** Keeps the local end time when clocks change between start and end, unless that leaves no duration. */
function endOfCopy({ startTime, timezone }: EventRow, endTime: Date, start: Date): Date {
  const lasts = local(endTime, timezone).toPlainDateTime().since(local(startTime, timezone).toPlainDateTime())
  const end = dateOf(local(start, timezone).toPlainDateTime().add(lasts).toZonedDateTime(zoneOf(timezone)))
  return end > start ? end : new Date(start.getTime() + endTime.getTime() - startTime.getTime())
}

/** Synced events may have an unknown time zone. */
const zoneOf = (timezone: string) => timeZoneOf(timezone) ?? 'UTC'

const local = (at: Date, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zoneOf(timezone))

const dateOf = (at: Temporal.ZonedDateTime) => new Date(at.epochMilliseconds)

/** Locks an event of this group until the commit. */
export async function lockGroupEvent(tx: Tx, groupId: string, eventId: string): Promise<EventRow> {
  const event = await lockEvent(tx, eventId)
  if (event?.groupId !== groupId) throw notFound('Event')
  return event
}

/** Refuses events synced from another platform: they are edited there. */
export function demandOwn(event: EventRow) {
  if (event.source !== 'native') throw conflict(refusals.otherPlatform)
}

export async function insertEvent(
  tx: Tx,
  { groupId, userId }: { groupId: string; userId: string },
  columns: Partial<EventRow>,
): Promise<EventRow> {
  const published = columns.status === 'published'
  // The input schema guarantees the required columns.
  const row = {
    ...columns,
    id: newId(),
    groupId,
    publishedAt: published ? now() : null,
  } as Parameters<typeof insertRow>[1]
  const event = await insertRow(tx, row)
  const about = { eventId: event.id, groupId, userId }
  await emit(tx, 'event.created', about)
  if (published) await emit(tx, 'event.published', about)
  return event
}
