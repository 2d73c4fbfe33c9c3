import { type Static, Type } from '@sinclair/typebox'
import { invalidField } from '@/core/errors'
import { line, nullable, oneOf, optional, text, time, webUrl, whole } from '@/core/fields'
import { refusals } from '@/core/refusals'
import { demandTimeZone } from '@/core/time-zones'
import type { EventRow } from '@/modules/gatherings/events/queries'
import { overAt } from '@/modules/gatherings/events/time'

const Venue = Type.Object({
  name: line(1, 200, { description: 'Name of the place.' }),
  address: optional(nullable(line(0, 300))),
  city: optional(nullable(line(0, 100))),
  state: optional(nullable(line(0, 100))),
  postalCode: optional(nullable(line(0, 20))),
  country: optional(nullable(line(0, 100))),
  latitude: optional(nullable(Type.Number({ minimum: -90, maximum: 90 }))),
  longitude: optional(nullable(Type.Number({ minimum: -180, maximum: 180 }))),
})

/** Fields that managers may set. None has a default: a partial update must not reset the others. */
export const eventFields = {
  title: line(1, 200),
  description: optional(nullable(text(0, 10_000))),
  startTime: time(),
  endTime: optional(nullable(time())),
  timezone: line(1, 64, { description: 'An IANA name such as Europe/Lisbon.' }),
  eventType: optional(oneOf(['physical', 'online', 'hybrid'])),
  maxAttendees: optional(nullable(whole(1, 1_000_000))),
  venue: optional(nullable(Venue)),
  onlineUrl: optional(nullable(webUrl())),
  photoUrl: optional(nullable(webUrl())),
  tags: optional(Type.Array(line(1, 40), { maxItems: 20 })),
  status: optional(oneOf(['draft', 'published'], { description: 'Drafts are seen by staff only.' })),
}

const EventChange = Type.Partial(Type.Object(eventFields))
type EventChange = Static<typeof EventChange>

export const eventChangeFields = EventChange.properties

/** Start and end are validated together, so an update needs the current row. */
export function columnsOf(change: EventChange, current?: EventRow): Partial<EventRow> {
  const { venue, startTime, endTime, timezone, tags, ...plain } = change
  return {
    ...plain,
    ...(timezone !== undefined && { timezone: demandTimeZone('timezone', timezone) }),
    ...(tags && { tags: [...new Set(tags)] }),
    ...timesOf(startTime, endTime, current),
    ...(venue !== undefined && venueColumns(venue)),
  }
}

function timesOf(
  startTime: string | undefined,
  endTime: string | null | undefined,
  current?: EventRow,
): Partial<EventRow> {
  if (startTime === undefined && endTime === undefined) return {}
  const start = startTime === undefined ? (current?.startTime as Date) : new Date(startTime)
  const end = endTime === undefined ? (current?.endTime ?? null) : endTime === null ? null : new Date(endTime)
  if (end !== null && end <= start) throw invalidField('endTime', refusals.afterStart)
  return { startTime: start, endTime: end, overAt: overAt(start, end) }
}

const venueColumns = (venue: Static<typeof Venue> | null): Partial<EventRow> => ({
  venueName: venue?.name ?? null,
  venueAddress: venue?.address || null,
  venueCity: venue?.city || null,
  venueState: venue?.state || null,
  venuePostalCode: venue?.postalCode || null,
  venueCountry: venue?.country || null,
  venueLatitude: venue?.latitude ?? null,
  venueLongitude: venue?.longitude ?? null,
})

export const changedFields = (change: EventChange, columns: Partial<EventRow>, before: EventRow): string[] =>
  Object.keys(change).filter((field) =>
    columnNames(field).some((name) => JSON.stringify(columns[name]) !== JSON.stringify(before[name])),
  )

const columnNames = (field: string) =>
  (field === 'venue' ? Object.keys(venueColumns(null)) : [field]) as (keyof EventRow)[]

/** Changes to these fields increment the calendar SEQUENCE. */
const MOVES = ['startTime', 'endTime', 'timezone', 'venue', 'onlineUrl', 'eventType', 'status']

export const moves = (fields: string[]) => fields.some((field) => MOVES.includes(field))
