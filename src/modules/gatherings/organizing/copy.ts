import type { EventRow } from '@/modules/gatherings/events/queries'
import { overAt } from '@/modules/gatherings/events/time'

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

/** A copy at another time, as a draft: it lasts as long, and has no RSVPs. */
export function copyAt(original: EventRow, startTime: Date): Partial<EventRow> {
  const lengthMs = original.endTime && original.endTime.getTime() - original.startTime.getTime()
  const endTime = lengthMs === null ? null : new Date(startTime.getTime() + lengthMs)
  const kept = Object.fromEntries(KEPT.map((name) => [name, original[name]])) as Partial<EventRow>
  return { ...kept, startTime, endTime, overAt: overAt(startTime, endTime), status: 'draft' }
}
