import { isTimeZone } from '@/core/time-zones'

/** `2031-05-01T18:30`, as `<input type="datetime-local">` writes a time: it names no zone. */
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/

export const isLocal = (text: string): boolean => LOCAL.test(text)

/** What the clock of a zone shows at a moment. A zone that nobody knows is UTC. */
export function clockIn(zone: string, moment: string | Date): string {
  const instant = Temporal.Instant.fromEpochMilliseconds(new Date(moment).getTime())
  return instant
    .toZonedDateTimeISO(isTimeZone(zone) ? zone : 'UTC')
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
}

/**
 * The moment at which the clock of a zone shows this: the first of two where an hour happens twice, as calendars have it.
 * Null: clocks are put forward past it, so that it never happens.
 */
export function momentIn(zone: string, local: string): string | null {
  const meant = Temporal.PlainDateTime.from(local)
  const found = meant.toZonedDateTime(zone, { disambiguation: 'earlier' })
  return found.toPlainDateTime().equals(meant) ? found.toInstant().toString() : null
}
