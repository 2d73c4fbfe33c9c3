import { fold } from '@/core/text'
import { type Change, LAST_YEAR, placeOf, YEAR_MS, type Zone } from './zones'

const DAY_MS = 86_400_000
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** A UTC offset change in local terms. */
type Onset = {
  /** Index among the changes of the zone. */
  place: number
  at: number
  /** Local time before the change, stored as UTC. */
  clock: Date
  from: number
  to: number
  isDaylight: boolean
}

/** Yearly changes that one RRULE describes. */
type Observance = { onsets: Onset[] }

function observancesOf({ changes }: Zone): Observance[] {
  const observances: Observance[] = []
  for (const [place, change] of changes.entries()) {
    const onset = onsetOf(changes, place, change)
    const continued = observances.find((one) => follows(one, onset))
    if (continued) continued.onsets.push(onset)
    else observances.push({ onsets: [onset] })
  }
  return observances
}

function onsetOf(changes: readonly Change[], place: number, { at, offset }: Change): Onset {
  const from = changes[place - 1]?.offset ?? offset
  const next = changes[place + 1]
  // Clocks that go forward and back within a year observe daylight time.
  const isDaylight = offset > from && next !== undefined && next.offset < offset && next.at - at < YEAR_MS
  return { place, at, clock: new Date(at + from), from, to: offset, isDaylight }
}

function follows({ onsets }: Observance, onset: Onset): boolean {
  const last = onsets.at(-1) as Onset
  return (
    last.place > 0 &&
    last.from === onset.from &&
    last.to === onset.to &&
    last.isDaylight === onset.isDaylight &&
    last.clock.getUTCFullYear() + 1 === onset.clock.getUTCFullYear() &&
    last.clock.getUTCMonth() === onset.clock.getUTCMonth() &&
    timeOfDay(last) === timeOfDay(onset) &&
    ruleOf([...onsets, onset]) !== null
  )
}

const timeOfDay = ({ clock }: Onset) => clock.getTime() % DAY_MS

/** The common day of these changes: a weekday rule if possible, as laws define it. */
function ruleOf(onsets: Onset[]): string | null {
  const days = onsets.map(({ clock }) => clock.getUTCDate())
  const [weekday, ...others] = new Set(onsets.map(({ clock }) => clock.getUTCDay()))
  const [least, most] = [Math.min(...days), Math.max(...days)]
  if (others.length > 0) return least === most ? `BYMONTHDAY=${least}` : null
  const name = WEEKDAYS[weekday as number]
  if (onsets.every(isInLastWeek)) return `BYDAY=-1${name}`
  const week = Math.ceil(least / 7)
  if (week === Math.ceil(most / 7) && week < 5) return `BYDAY=${week}${name}`
  if (most - least > 6) return null
  return `BYMONTHDAY=${Array.from({ length: 7 }, (_, index) => most - 6 + index).join(',')};BYDAY=${name}`
}

function isInLastWeek({ clock }: Onset): boolean {
  const days = new Date(Date.UTC(clock.getUTCFullYear(), clock.getUTCMonth() + 1, 0)).getUTCDate()
  return clock.getUTCDate() > days - 7
}

/** A rule that lasts to the final year has no UNTIL. */
function linesOf({ onsets }: Observance): string[] {
  const [first, last] = [onsets[0] as Onset, onsets.at(-1) as Onset]
  const kind = first.isDaylight ? 'DAYLIGHT' : 'STANDARD'
  return [
    `BEGIN:${kind}`,
    `DTSTART:${stamp(first.clock)}`,
    `TZOFFSETFROM:${offsetText(first.from)}`,
    `TZOFFSETTO:${offsetText(first.to)}`,
    ...(onsets.length > 1 ? [recurrence(onsets, last)] : []),
    `END:${kind}`,
  ]
}

function recurrence(onsets: Onset[], last: Onset): string {
  // Python's dateutil reads UNTIL as local time and would skip the last change, so add a day.
  const until = last.clock.getUTCFullYear() >= LAST_YEAR ? '' : `;UNTIL=${stamp(new Date(last.at + DAY_MS))}Z`
  return `RRULE:FREQ=YEARLY;BYMONTH=${last.clock.getUTCMonth() + 1};${ruleOf(onsets)}${until}`
}

const stamp = (date: Date) => date.toISOString().replace(/[-:]|\.\d+Z/g, '')

function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / 60_000
  const parts = [Math.floor(minutes / 60), minutes % 60]
  return (offset < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join('')
}

const known = new WeakMap<Zone, Observance[]>()

/**
 * Covers a year before and after the events, so that most feeds define a zone identically: some readers share one definition across
 * calendars.
 */
export function vtimezone(zone: Zone, earliest: number, latest: number): string {
  const observances = known.get(zone) ?? observancesOf(zone)
  known.set(zone, observances)
  const [from, to] = [placeOf(zone, earliest - YEAR_MS), placeOf(zone, latest + YEAR_MS)]
  const lines = observances.flatMap((one) => {
    const needed = one.onsets.filter(({ place }) => from <= place && place <= to)
    if (needed.length === 0) return []
    // The first observance may be the tail of an old rule: then only the onset matters.
    return linesOf(needed.length === 1 && needed[0]?.place === from ? { onsets: needed } : one)
  })
  return fold(['BEGIN:VTIMEZONE', `TZID:${zone.id}`, ...lines, 'END:VTIMEZONE', ''].join('\r\n'))
}
