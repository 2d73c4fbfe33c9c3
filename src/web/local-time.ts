import { isTimeZone } from '@/core/time-zones'

/** `2031-05-01T18:30`, as `<input type="datetime-local">` sends a time: without a zone. */
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/

export const isLocal = (text: string): boolean => LOCAL.test(text)

/** The local time of a moment in a zone; UTC for an unknown zone. */
export function clockIn(zone: string, moment: string | Date): string {
  const instant = Temporal.Instant.fromEpochMilliseconds(new Date(moment).getTime())
  return instant
    .toZonedDateTimeISO(isTimeZone(zone) ? zone : 'UTC')
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
}

/** The moment of a local time: the first of two when an hour repeats, as in calendars. Null if DST skips it. */
export function momentIn(zone: string, local: string): string | null {
  const meant = Temporal.PlainDateTime.from(local)
  const found = meant.toZonedDateTime(zone, { disambiguation: 'earlier' })
  return found.toPlainDateTime().equals(meant) ? found.toInstant().toString() : null
}
