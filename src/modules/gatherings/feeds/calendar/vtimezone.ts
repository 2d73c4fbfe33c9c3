import { fold } from '@/core/fold'
import { linesOf, type Observance, observancesOf } from './observances'
import { placeOf, YEAR_MS, type Zone } from './zones'

const known = new WeakMap<Zone, Observance[]>()

/**
 * A zone as calendars need it to place events between two times: with the rules of a year before and after, so that those of
 * most feeds say the same, which readers that keep one zone for all of their calendars rely on.
 */
export function vtimezone(zone: Zone, earliest: number, latest: number): string {
  const observances = known.get(zone) ?? observancesOf(zone)
  known.set(zone, observances)
  const [from, to] = [placeOf(zone, earliest - YEAR_MS), placeOf(zone, latest + YEAR_MS)]
  const lines = observances.flatMap((one) => {
    const needed = one.onsets.filter(({ place }) => from <= place && place <= to)
    if (needed.length === 0) return []
    // What has held since before the first event may be the end of a rule of long ago.
    return linesOf(needed.length === 1 && needed[0]?.place === from ? { onsets: needed } : one)
  })
  return fold(['BEGIN:VTIMEZONE', `TZID:${zone.id}`, ...lines, 'END:VTIMEZONE', ''].join('\r\n'))
}
