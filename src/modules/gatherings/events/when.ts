import type { EventRow } from './queries'
import { isTimeZone } from './time'

type Formats = Record<'day' | 'shortDay' | 'clock' | 'zone' | 'month' | 'date', Intl.DateTimeFormat>

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
      shortDay: format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
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
  starts: string
  /** What follows: the time of day on the same line, or with its day for what goes on longer than through a night. */
  until: string
  ends: string | null
  zone: string
  timezone: string
}

/** A line may end after a dash, also before a space that is not broken: the joiner keeps both times together. */
const UNBROKEN_DASH = '\u00a0–\u2060\u00a0'

const HALF_A_DAY_MS = 12 * 60 * 60_000

const nameOf = (timezone: string | null) => (timezone !== null && isTimeZone(timezone) ? timezone : 'UTC')

/** A moment in a zone, as whoever reads it at `seenAt` says it. */
export function momentOf(at: Date, timezone: string | null, seenAt: Date): string {
  const { day, clock } = formatsOf(nameOf(timezone))
  const said = day.format(at)
  return `${said === day.format(seenAt) ? 'today' : said}, ${clock.format(at)}`
}

export type Times = Pick<EventRow, 'startTime' | 'endTime'> & { timezone: string | null }

/** In the words of a card, or of a page that is about one event. */
export function whenOf({ startTime, endTime, timezone }: Times, length: 'short' | 'long'): When {
  const named = nameOf(timezone)
  const { day, shortDay, clock, zone, month, date } = formatsOf(named)
  const words = length === 'short' ? shortDay : day
  const full = (at: Date) => `${words.format(at)}, ${clock.format(at)}`
  const lasts = endTime === null ? 0 : endTime.getTime() - startTime.getTime()
  const isOneDay = lasts <= HALF_A_DAY_MS || day.format(startTime.getTime() + lasts) === day.format(startTime)
  return {
    month: month.format(startTime),
    date: date.format(startTime),
    starts: full(startTime),
    until: isOneDay ? UNBROKEN_DASH : ' – ',
    ends: endTime && (isOneDay ? clock.format(endTime) : full(endTime)),
    zone: zone.formatToParts(startTime).find(({ type }) => type === 'timeZoneName')?.value ?? named,
    timezone: named,
  }
}
