import { isTimeZone } from '@/core/time-zones'
import { clockOf, isInReach, type Zone, zoneOf } from '../calendar/zones'

/** The zone's table of offset changes, with `Intl` for times outside its range. */
type Clock = { zone: Zone | null; format: () => Intl.DateTimeFormat }

/** A formatter takes some 50 µs to create and tens of kilobytes of memory. */
const KEPT_MAX = 100
const kept = new Map<string, Clock>()

function clockIn(timezone: string): Clock {
  let found = kept.get(timezone)
  if (!found) {
    let made: Intl.DateTimeFormat | undefined
    const format = () => {
      made ??= formatter(timezone)
      return made
    }
    found = { zone: zoneOf(timezone), format }
    if (kept.size >= KEPT_MAX) kept.delete(kept.keys().next().value as string)
    kept.set(timezone, found)
  }
  return found
}

function formatter(timezone: string): Intl.DateTimeFormat {
  const [two, four] = ['2-digit', 'numeric'] as const
  const fields = { year: four, month: two, day: two, hour: two, minute: two }
  return new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hourCycle: 'h23', ...fields })
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `Intl` is five times slower than the table, and only its digits are stable across ICU versions. */
function shownAt(at: Date, { zone, format }: Clock): Date {
  const time = at.getTime()
  if (zone !== null && isInReach(zone, time)) return new Date(clockOf(zone, time))
  const [day, month, year, hour, minute] = (format().format(at).match(/\d+/g) as string[]).map(Number)
  // `Date.UTC` maps years below 100 to 19xx.
  const shown = new Date(0)
  shown.setUTCFullYear(year as number, (month as number) - 1, day)
  shown.setUTCHours(hour as number, minute)
  return shown
}

function inZone(at: Date, clock: Clock) {
  const shown = shownAt(at, clock)
  const two = (number: number) => String(number).padStart(2, '0')
  return {
    day: `${DAYS[shown.getUTCDay()]} ${shown.getUTCDate()} ${MONTHS[shown.getUTCMonth()]} ${shown.getUTCFullYear()}`,
    time: `${two(shown.getUTCHours())}:${two(shown.getUTCMinutes())}`,
  }
}

type Span = { startTime: Date; endTime: Date | null; timezone: string }

/** `Sat 3 Oct 2026, 18:30 (Europe/Lisbon)`, and the same with the end. */
export function when({ startTime, endTime, timezone }: Span): { starts: string; lasts: string } {
  const zone = isTimeZone(timezone) ? timezone : 'UTC'
  const clock = clockIn(zone)
  const start = inZone(startTime, clock)
  const starts = `${start.day}, ${start.time} (${zone})`
  if (!endTime) return { starts, lasts: starts }
  const end = inZone(endTime, clock)
  const until = end.day === start.day ? end.time : `${end.day}, ${end.time}`
  return { starts, lasts: `${start.day}, ${start.time} to ${until} (${zone})` }
}
