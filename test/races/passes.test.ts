import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { newPassId } from '@/modules/passes/passes/id'
import { ownDatabase, until } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'
import { askAgain, countStatuses, startThree, type Three } from '../support/three'

const ROUNDS = 10

describe('passes, over three processes', () => {
  let three: Three
  let sql: postgres.Sql
  let people: Seeded[]
  beforeAll(async () => {
    const databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 4, onnotice: () => {} })
    people = await seedPeople(databaseUrl, 3 * ROUNDS, ['write:meetpass'])
    three = await startThree(databaseUrl)
  })
  afterAll(async () => {
    await sql.end()
    await three.stop()
  })

  const claim = (turn: number, id: string, { token }: Seeded) =>
    askAgain(three, turn, 'POST', `/v1/meetpass/${id}/claim`, token)

  async function blankTag() {
    const id = newPassId()
    await sql`insert into passes (id, type) values (${id}, 'nfc')`
    return id
  }

  test('first uses at all of them at once make one QR pass each, and say so once', async () => {
    const statuses = await Promise.all(
      people.flatMap(({ token }) =>
        ['/v1/meetpass', '/v1/meetpass/qr', '/v1/meetpass'].map((path, turn) =>
          askAgain(three, turn, 'GET', path, token),
        ),
      ),
    )
    expect(countStatuses(statuses)).toEqual({ 200: 3 * people.length })
    const [counted] = await sql`select count(*)::int as passes, count(distinct owner_id)::int as people,
      (select count(*)::int from outbox where type = 'meetpass.claimed') as told from passes`
    expect({ ...counted }).toEqual({ passes: people.length, people: people.length, told: people.length })
  })

  test('of many who claim one tag at once, one has it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await blankTag()
      const several = people.slice(3 * round, 3 * round + 3)
      const statuses = await Promise.all(several.map((person, turn) => claim(turn, id, person)))
      expect(countStatuses(statuses)).toEqual({ 200: 1, 409: 2 })
      const [tag] = await sql`select owner_id from passes where id = ${id}`
      expect(tag?.owner_id).toBe(several[statuses.indexOf(200)]?.id)
      expect(
        (await sql`select from outbox where type = 'meetpass.claimed' and payload->>'passId' = ${id}`).length,
      ).toBe(1)
    }
  })

  test('control: looking first and taking then gives one tag to several', async () => {
    const id = await blankTag()
    const all = people.slice(0, 3)
    const seen = await Promise.all(
      all.map(() => sql`select from passes where id = ${id} and owner_id is null`),
    )
    const taken = await Promise.all(
      all.map(async (person, i) =>
        seen[i]?.length ? sql`update passes set owner_id = ${person.id} where id = ${id} returning id` : [],
      ),
    )
    expect(taken.flat()).toHaveLength(3)
  })

  test('of several rotations of one pass at once, one counts, and the others name a pass that is not there', async () => {
    for (const { id: owner, token } of people.slice(0, ROUNDS)) {
      const [before] = await sql`select id from passes where owner_id = ${owner} and type = 'qrcode'`
      const rotate = (turn: number) =>
        askAgain(three, turn, 'POST', `/v1/meetpass/${before?.id}/rotate`, token)
      expect(countStatuses(await Promise.all([0, 1, 2].map(rotate)))).toEqual({ 200: 1, 404: 2 })
      const after = await sql`select id from passes where owner_id = ${owner} and type = 'qrcode'`
      expect([after.length, after[0]?.id === before?.id]).toEqual([1, false])
    }
  })

  const statusAt = async (turn: number, id: string) => {
    const response = await fetch(`${three.servers[turn]?.url}/pass/${id}/ndef`)
    await response.arrayBuffer()
    return response.status
  }

  /** By every process, twice: then each has it in its caches. */
  async function readEverywhere(id: string) {
    for (const turn of [0, 1, 2, 0, 1, 2]) expect(await statusAt(turn, id)).toBe(200)
  }

  test('a rotated id is dead at the process that did it at once, and at the others as soon as they hear', async () => {
    for (const { id: owner, token } of people.slice(0, 3)) {
      const qrId = async () =>
        (await sql`select id from passes where owner_id = ${owner} and type = 'qrcode'`)[0]?.id
      const before = await qrId()
      await readEverywhere(before)
      expect(await three.ask(0, 'POST', `/v1/meetpass/${before}/rotate`, token)).toBe(200)
      expect(await statusAt(0, before)).toBe(404)
      for (const turn of [1, 2])
        await until('the others know', async () => (await statusAt(turn, before)) === 404, 1000)
      await readEverywhere(await qrId())
    }
  })

  test('control: an id that changes without a domain event is still kept, so it is the domain event that ends it', async () => {
    const [pass] = await sql`select id from passes where type = 'qrcode' limit 1`
    await readEverywhere(pass?.id)
    await sql`update passes set id = ${newPassId()} where id = ${pass?.id}`
    for (const turn of [0, 1, 2]) expect(await statusAt(turn, pass?.id)).toBe(200)
  })

  test('a tag released and claimed concurrently has one owner or none', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await blankTag()
      const [owner, next, other] = people.slice(3 * round, 3 * round + 3) as [Seeded, Seeded, Seeded]
      expect(await claim(0, id, owner)).toBe(200)
      const [released, ...claims] = await Promise.all([
        askAgain(three, 0, 'POST', `/v1/meetpass/${id}/release`, owner.token),
        claim(1, id, next),
        claim(2, id, other),
      ])
      expect(released).toBe(200)
      expect(claims.filter((status) => status === 200).length).toBeLessThan(2)
      const [tag] = await sql`select owner_id, is_active, label from passes where id = ${id}`
      const winner = [next, other][claims.indexOf(200)]
      expect({ ...tag }).toEqual({ owner_id: winner?.id ?? null, is_active: true, label: null })
    }
  })
})
