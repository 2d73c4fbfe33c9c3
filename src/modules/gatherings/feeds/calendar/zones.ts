/** The years that a VTIMEZONE is written for. */
const FIRST = Date.UTC(1970, 0, 1)
export const LAST_YEAR = 2060
const END = Date.UTC(LAST_YEAR + 1, 0, 1)
const MINUTE_MS = 60_000
export const YEAR_MS = 366 * 86_400_000

/** From `at` on the clock is `offset` ahead of UTC; both in milliseconds. */
export type Change = { at: number; offset: number }

export type Zone = {
  /** As the IANA list writes it. */
  id: string
  /** Ascending. The first says what held when 1970 began, or when offsets had become whole minutes. */
  changes: readonly Change[]
}

/** By the name in the IANA list, which is short; spellings of it are without number. */
const known = new Map<string, Zone>()

/** Null: the runtime does not know it, or it is UTC, which needs no zone. */
export function zoneOf(name: string): Zone | null {
  const id = nameOf(name)
  if (id === null || UTC.test(id)) return null
  const zone = known.get(id) ?? { id, changes: changesOf(id) }
  known.set(id, zone)
  return zone
}

const UTC = /^(Etc\/)?(UTC|UCT|Universal|Zulu|Greenwich|GMT([+-]?0)?)$/

function nameOf(name: string): string | null {
  // An offset such as +02:00 is a zone for Temporal, but no TZID that anybody knows.
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
  // A year more, in which summer time that begins in the last one ends.
  while (next !== null && next.epochMilliseconds < END + YEAR_MS) {
    const offset = next.offsetNanoseconds / 1e6
    // Readers drop the seconds of an offset, so nothing is said of the years in which it had some (Monrovia until 1972).
    if (offset % MINUTE_MS !== 0) changes.length = 0
    else changes.push({ at: next.epochMilliseconds, offset })
    next = next.getTimeZoneTransition('next')
  }
  return changes
}

/** Where among the changes of its zone a time lies. */
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

/** Whether the changes tell what holds at this time. */
export const isInReach = ({ changes: [first] }: Zone, at: number): boolean =>
  first !== undefined && first.at <= at && at < END

/** What the clock of a zone shows, read as if it were UTC. */
export const clockOf = (zone: Zone, at: number): number =>
  at + (zone.changes[placeOf(zone, at)] as Change).offset

/** Whether the clock of a zone names this time and no other: an hour that is put back happens twice. */
export function isPlain(zone: Zone, at: number): boolean {
  const place = placeOf(zone, at)
  const [before, current, after] = [zone.changes[place - 1], zone.changes[place], zone.changes[place + 1]]
  if (current === undefined || !isInReach(zone, at)) return false
  const clock = at + current.offset
  const wasBefore = before !== undefined && clock - before.offset < current.at
  const comesAgain = after !== undefined && clock - after.offset >= after.at
  return !wasBefore && !comesAgain
}
