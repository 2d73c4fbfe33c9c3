import { expect, test } from 'bun:test'
import postgres from 'postgres'
import { ownDatabase } from '../support/processes'
import { seededRandom } from '../support/random'
import { seedPeople } from '../support/seed'
import { type Holder, seedPasses, TAPPED_AT_WILL, tap } from '../support/taps'
import { countStatuses, startThree } from '../support/three'

const PEOPLE = 5000
const PASSES = 500
const TAPS = 100_000
/** Of each person: half of the taps are on passes that they have tapped before. */
const MET = TAPS / PEOPLE / 2
const CLIENTS = 200

test(
  `${TAPS} taps by ${PEOPLE} people on ${PASSES} passes end in exactly the set of pairs`,
  async () => {
    const { random, pick } = seededRandom()
    const databaseUrl = await ownDatabase()
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    const people = await seedPeople(databaseUrl, PEOPLE, ['write:meetpass'])
    // Owners tap as well: their own passes, and each other's.
    const holders = await seedPasses(sql, people.slice(0, PASSES))
    const three = await startThree(databaseUrl, TAPPED_AT_WILL)

    const taps = people
      .flatMap((person) => Array.from({ length: MET }, () => ({ person, holder: pick(holders) as Holder })))
      .flatMap((one) => [one, one])
      .map((one) => ({ one, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ one }) => one)
    expect(taps).toHaveLength(TAPS)

    const statuses: number[] = []
    let [next, untold] = [0, 0]
    const client = async () => {
      for (let i = next++; i < TAPS; i = next++) {
        const { person, holder } = taps[i] as (typeof taps)[number]
        const base = three.servers[i % 3]?.url as string
        const { status, connected } = await tap(base, holder.pass, { token: person.token })
        statuses.push(status)
        if (connected !== (person.id !== holder.id)) untold += 1
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    await three.stop()
    expect([countStatuses(statuses), untold]).toEqual([{ 200: TAPS }, 0])

    const pairOf = (a: string, b: string) => (a < b ? `${a} ${b}` : `${b} ${a}`)
    const wanted = new Set(
      taps
        .filter(({ person, holder }) => person.id !== holder.id)
        .map(({ person, holder }) => pairOf(person.id, holder.id)),
    )
    const rows = await sql`select owner_id, visitor_id from connections`
    expect(rows).toHaveLength(wanted.size)
    expect(rows.filter(({ owner_id, visitor_id }) => !wanted.has(pairOf(owner_id, visitor_id)))).toEqual([])
    const told =
      await sql`select payload->>'userId' as one, payload->>'connectedUserId' as other, count(*)::int
    from outbox where type = 'meetpass.connected' group by 1, 2`
    expect(told).toHaveLength(2 * wanted.size)
    expect(told.filter(({ one, other, count }) => count !== 1 || !wanted.has(pairOf(one, other)))).toEqual([])
    await sql.end()
  },
  30 * 60_000,
)
