import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { ownDatabase, until } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'
import { startThree, type Three } from '../support/three'

const FORMATS = ['ics', 'rss', 'atom', 'json']

describe("the addresses of a person's own feeds, over three processes", () => {
  let three: Three
  let sql: postgres.Sql
  let databaseUrl: string
  let urls: string[]
  let admin: Seeded
  beforeAll(async () => {
    databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
    admin = (await seedPeople(databaseUrl, 1, ['admin']))[0] as Seeded
    await sql`update users set role = 'admin' where id = ${admin.id}`
    three = await startThree(databaseUrl, { RATE_LIMIT_ANONYMOUS_PER_HOUR: '1000000' })
    urls = three.servers.map(({ url }) => url)
  })
  afterAll(async () => {
    await sql.end()
    await three.stop()
  })

  const arrive = async () => (await seedPeople(databaseUrl, 1))[0] as Seeded

  async function feedTokenOf({ token }: Seeded, at = 0): Promise<string> {
    const path = `${urls[at]}/v1/profile/feed-token`
    const answer = await fetch(path, { headers: { authorization: `Bearer ${token}` } })
    expect(answer.status).toBe(200)
    return ((await answer.json()) as { data: { feedToken: string } }).data.feedToken
  }

  async function statusAt(url: string | undefined, feedToken: string, format = 'ics'): Promise<number> {
    const response = await fetch(`${url}/feeds/me/${feedToken}.${format}`)
    await response.arrayBuffer()
    return response.status
  }

  /** In every format, by every process, twice: then each has it in its caches. */
  async function readEverywhere(feedToken: string) {
    for (const url of [...urls, ...urls])
      for (const format of FORMATS) expect(await statusAt(url, feedToken, format)).toBe(200)
  }

  async function isDeadEverywhere(feedToken: string) {
    for (const format of FORMATS) expect(await statusAt(urls[0], feedToken, format)).toBe(404)
    for (const url of urls)
      for (const format of FORMATS)
        await until('the others know', async () => (await statusAt(url, feedToken, format)) === 404, 1000)
  }

  test('first reads at all of them at once make one token', async () => {
    for (let round = 0; round < 10; round += 1) {
      const person = await arrive()
      const shown = await Promise.all(
        urls.flatMap((_, at) => [feedTokenOf(person, at), feedTokenOf(person, at)]),
      )
      expect(new Set(shown).size).toBe(1)
      expect(await statusAt(urls[round % 3], shown[0] as string)).toBe(200)
    }
  })

  test('a rotation ends the old ones, at the process that did it at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const person = await arrive()
      const old = await feedTokenOf(person)
      await readEverywhere(old)
      expect(await three.ask(0, 'POST', '/v1/profile/feed-token/rotate', person.token)).toBe(200)
      await isDeadEverywhere(old)
      await readEverywhere(await feedTokenOf(person))
    }
  })

  test('a suspension ends them until it is over', async () => {
    const person = await arrive()
    const feedToken = await feedTokenOf(person)
    await readEverywhere(feedToken)
    const path = `/v1/admin/users/${person.id}`
    expect(await three.ask(0, 'PATCH', path, admin.token, { suspended: true })).toBe(200)
    await isDeadEverywhere(feedToken)
    expect(await three.ask(0, 'PATCH', path, admin.token, { suspended: false })).toBe(200)
    await readEverywhere(feedToken)
  })

  test('the deletion of an account ends them', async () => {
    const person = await arrive()
    const feedToken = await feedTokenOf(person)
    await readEverywhere(feedToken)
    const path = `/v1/admin/users/${person.id}`
    expect(await three.ask(0, 'DELETE', path, admin.token)).toBe(204)
    await isDeadEverywhere(feedToken)
    expect((await sql`select from feed_tokens where user_id = ${person.id}`).length).toBe(0)
  })

  test('control: a row that vanishes without a domain event is still kept, so it is the domain event that ends it', async () => {
    const person = await arrive()
    const feedToken = await feedTokenOf(person)
    await readEverywhere(feedToken)
    await sql`delete from feed_tokens where user_id = ${person.id}`
    for (const url of urls) expect(await statusAt(url, feedToken)).toBe(200)
  })
})
