import { isTimeZone } from '../../events/time'

/** A formatter takes some 50 µs to make and tens of kilobytes to keep. */
const KEPT_MAX = 100
const kept = new Map<string, Intl.DateTimeFormat>()

function formatter(timezone: string): Intl.DateTimeFormat {
  let found = kept.get(timezone)
  if (!found) {
    const [two, four] = ['2-digit', 'numeric'] as const
    const fields = { year: four, month: two, day: two, hour: two, minute: two }
    found = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hourCycle: 'h23', ...fields })
    if (kept.size >= KEPT_MAX) kept.delete(kept.keys().next().value as string)
    kept.set(timezone, found)
  }
  return found
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Only the numbers are taken from `Intl`: its names and separators differ between its versions, and bytes would with them. */
function inZone(at: Date, timezone: string) {
  const [day, month, year, hour, minute] = formatter(timezone).format(at).match(/\d+/g) as string[]
  const weekday = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDay()
  return {
    day: `${DAYS[weekday]} ${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`,
    time: `${hour}:${minute}`,
  }
}

type Span = { startTime: Date; endTime: Date | null; timezone: string }

/** When an event is, on the clocks where it happens: `Sat 3 Oct 2026, 18:30 (Europe/Lisbon)`, and until when. */
export function when({ startTime, endTime, timezone }: Span): { starts: string; lasts: string } {
  const zone = isTimeZone(timezone) ? timezone : 'UTC'
  const start = inZone(startTime, zone)
  const starts = `${start.day}, ${start.time} (${zone})`
  if (!endTime) return { starts, lasts: starts }
  const end = inZone(endTime, zone)
  const until = end.day === start.day ? end.time : `${end.day}, ${end.time}`
  return { starts, lasts: `${start.day}, ${start.time} to ${until} (${zone})` }
}
