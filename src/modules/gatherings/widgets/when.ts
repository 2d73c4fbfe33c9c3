import type { EventRow } from '@/modules/gatherings/events/queries'
import { isTimeZone } from '@/modules/gatherings/events/time'

type Formats = Record<'day' | 'clock' | 'zone' | 'month' | 'date', Intl.DateTimeFormat>

/** Making a format takes longer than using it a hundred times, and each takes tens of kilobytes. */
const ZONES_MAX = 40
const made = new Map<string, Formats>()

function formatsOf(timeZone: string): Formats {
  let formats = made.get(timeZone)
  if (formats === undefined) {
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('en-GB', { ...options, timeZone })
    formats = {
      day: format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
      clock: format({ hour: '2-digit', minute: '2-digit' }),
      zone: format({ timeZoneName: 'long' }),
      month: format({ month: 'short' }),
      date: format({ day: 'numeric' }),
    }
    if (made.size >= ZONES_MAX) made.delete(made.keys().next().value as string)
    made.set(timeZone, formats)
  }
  return formats
}

/** The times of an event in its own zone. No word depends on the day of the reader: the same bytes stay true. */
export type When = {
  /** For the calendar leaf. */
  month: string
  date: string
  /** In full. */
  starts: string
  /** The time of day, or the whole of it when the event ends on another day. */
  ends: string | null
  zone: string
  timezone: string
}

export function whenOf({ startTime, endTime, timezone }: EventRow): When {
  const named = isTimeZone(timezone) ? timezone : 'UTC'
  const { day, clock, zone, month, date } = formatsOf(named)
  const full = (at: Date) => `${day.format(at)}, ${clock.format(at)}`
  const endsSameDay = endTime !== null && day.format(endTime) === day.format(startTime)
  return {
    month: month.format(startTime),
    date: date.format(startTime),
    starts: full(startTime),
    ends: endTime && (endsSameDay ? clock.format(endTime) : full(endTime)),
    zone: zone.formatToParts(startTime).find(({ type }) => type === 'timeZoneName')?.value ?? named,
    timezone: named,
  }
}
