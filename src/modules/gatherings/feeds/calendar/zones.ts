/** Years that a VTIMEZONE covers. */
const FIRST = Date.UTC(1970, 0, 1)
export const LAST_YEAR = 2060
const END = Date.UTC(LAST_YEAR + 1, 0, 1)
const MINUTE_MS = 60_000
export const YEAR_MS = 366 * 86_400_000

/** UTC offset from `at` on, in milliseconds. */
export type Change = { at: number; offset: number }

export type Zone = {
  /** The canonical IANA name. */
  id: string
  /** Ascending. The first holds from 1970, or from the time when offsets became whole minutes. */
  changes: readonly Change[]
}

/** Keyed by canonical name: that list is short, spellings are unlimited. */
const known = new Map<string, Zone>()

/** Null if unknown to the runtime, or UTC, which needs no VTIMEZONE. */
export function zoneOf(name: string): Zone | null {
  const id = nameOf(name)
  if (id === null || UTC.test(id)) return null
  const zone = known.get(id) ?? { id, changes: changesOf(id) }
  known.set(id, zone)
  return zone
}

const UTC = /^(Etc\/)?(UTC|UCT|Universal|Zulu|Greenwich|GMT([+-]?0)?)$/

function nameOf(name: string): string | null {
  // Temporal accepts offsets such as +02:00, but they are no valid TZID.
  if (!/^[A-Za-z]/.test(name)) return null
  try {
    return new Temporal.ZonedDateTime(0n, name).timeZoneId
  } catch {
    return null
  }
}

function changesOf(id: string): Change[] {
  const changes: Change[] = []
  let next: Temporal.ZonedDateTime | null =
    Temporal.Instant.fromEpochMilliseconds(FIRST).toZonedDateTimeISO(id)
  // One more year, so that the last daylight time also ends.
  while (next !== null && next.epochMilliseconds < END + YEAR_MS) {
    const offset = next.offsetNanoseconds / 1e6
    // Readers drop seconds of offsets, so earlier years are left out (Monrovia until 1972).
    if (offset % MINUTE_MS !== 0) changes.length = 0
    else changes.push({ at: next.epochMilliseconds, offset })
    next = next.getTimeZoneTransition('next')
  }
  return changes
}

/** Index of the change in effect at a time. */
export function placeOf(zone: Zone, at: number): number {
  let low = 0
  let high = zone.changes.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((zone.changes[middle] as Change).at <= at) low = middle
    else high = middle - 1
  }
  return low
}

export const isInReach = ({ changes: [first] }: Zone, at: number): boolean =>
  first !== undefined && first.at <= at && at < END

/** Local time of a zone, stored as UTC. */
export const clockOf = (zone: Zone, at: number): number =>
  at + (zone.changes[placeOf(zone, at)] as Change).offset

/** Whether a local time is unambiguous: the hour before clocks go back occurs twice. */
export function isPlain(zone: Zone, at: number): boolean {
  const place = placeOf(zone, at)
  const [before, current, after] = [zone.changes[place - 1], zone.changes[place], zone.changes[place + 1]]
  if (current === undefined || !isInReach(zone, at)) return false
  const clock = at + current.offset
  const wasBefore = before !== undefined && clock - before.offset < current.at
  const comesAgain = after !== undefined && clock - after.offset >= after.at
  return !wasBefore && !comesAgain
}
