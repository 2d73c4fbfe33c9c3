import { fold } from '@/core/fold'
import { linesOf, type Observance, observancesOf } from './observances'
import { placeOf, YEAR_MS, type Zone } from './zones'

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
