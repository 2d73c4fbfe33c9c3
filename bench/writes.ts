import { hasPgbench, type Write } from './pgbench'
import { measureRefreshes } from './refreshes'
import { measureRsvps } from './rsvps'
import type { Surroundings } from './server'

const WRITES = [
  { name: 'POST /v1/events/{id}/rsvp, one open event', wanted: 0.5, measure: measureRsvps },
  { name: 'POST /oauth/token, refresh', wanted: 0.5, measure: measureRefreshes },
]

export type Writes = (Write & { name: string; wanted: number })[] | 'no pgbench'

/** What changes something, each against pgbench sending the same statements over as many connections. */
export async function measureWrites(
  surroundings: Surroundings,
  say: (what: string) => void,
  only = '',
): Promise<Writes> {
  const chosen = WRITES.filter(({ name }) => name.includes(only))
  if (chosen.length > 0 && !hasPgbench()) return 'no pgbench'
  const found = []
  for (const { name, wanted, measure } of chosen) {
    say(`${name}, against pgbench`)
    found.push({ name, wanted, ...(await measure(surroundings)) })
  }
  return found
}
