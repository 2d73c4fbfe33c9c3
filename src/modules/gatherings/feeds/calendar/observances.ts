import { type Change, LAST_YEAR, YEAR_MS, type Zone } from './zones'

const DAY_MS = 86_400_000
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** A change of the clock as people there see it. */
type Onset = {
  /** Its place among the changes of the zone. */
  place: number
  at: number
  /** What the clock showed, read as if it were UTC. */
  clock: Date
  from: number
  to: number
  isDaylight: boolean
}

/** Changes that one rule describes, a year apart each. */
export type Observance = { onsets: Onset[] }

export function observancesOf({ changes }: Zone): Observance[] {
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
  // Clocks that are put forward and back within a year keep summer time.
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

/** The days of one month on which all of these fall: a day of the week where it can be, as laws are written. */
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

/** The lines of an observance; a rule that holds up to the last year is left open. */
export function linesOf({ onsets }: Observance): string[] {
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
  // A day later than the last: python's dateutil takes UTC for the clock of the zone here, and would leave the last out.
  const until = last.clock.getUTCFullYear() >= LAST_YEAR ? '' : `;UNTIL=${stamp(new Date(last.at + DAY_MS))}Z`
  return `RRULE:FREQ=YEARLY;BYMONTH=${last.clock.getUTCMonth() + 1};${ruleOf(onsets)}${until}`
}

const stamp = (date: Date) => date.toISOString().replace(/[-:]|\.\d+Z/g, '')

function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / 60_000
  const parts = [Math.floor(minutes / 60), minutes % 60]
  return (offset < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join('')
}
