import { expect, test } from 'bun:test'
import { ownDatabase, startServer, until } from '../support/processes'
import { type Seeded, seedEvent, seedPeople } from '../support/seed'

/** Processes behind one name, as a proxy would ask them. */
const HOST = { host: 'localhost' }

test('a change and a rotation reach the feeds of every process', async () => {
  const databaseUrl = await ownDatabase()
  const servers = await Promise.all(
    [1, 2, 3].map(() => startServer({ DATABASE_URL: databaseUrl, BASE_URL: 'http://localhost' })),
  )
  const [first, ...others] = servers.map(({ url }) => url) as [string, string, string]
  const { groupId, eventId, urlname, owner } = await seedEvent(databaseUrl)
  const [person] = (await seedPeople(databaseUrl, 1)) as [Seeded]
  const api = async (method: string, path: string, { token }: Seeded, json?: unknown) =>
    fetch(first + path, {
      method,
      headers: { ...HOST, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
  const path = `/feeds/groups/${urlname}.ics`
  const read = async (base: string, etag = '') =>
    fetch(base + path, { headers: { ...HOST, 'if-none-match': etag, 'accept-encoding': 'identity' } })

  let etag = ''
  for (let round = 0; round < 5; round += 1) {
    // All have it, and the same.
    const tags = new Set<string>()
    for (const base of [first, ...others]) tags.add((await read(base)).headers.get('etag') as string)
    expect(tags.size).toBe(1)
    expect(tags).not.toContain(etag)
    etag = [...tags][0] as string
    for (const base of [first, ...others]) expect((await read(base, etag)).status).toBe(304)
    const dates = new Set<string | null>()
    for (const base of [first, ...others]) dates.add((await read(base)).headers.get('last-modified'))
    expect(dates.size).toBe(1)
    const changed = await api('PATCH', `/v1/manage/groups/${groupId}/events/${eventId}`, owner, {
      title: `Round ${round}`,
    })
    expect(changed.status).toBe(200)
    expect(await (await read(first, etag)).text()).toContain(`SUMMARY:Round ${round}`)
    for (const base of others)
      await until('the others know', async () => (await read(base, etag)).status === 200, 1000)
  }

  const { data } = (await (await api('GET', '/v1/profile/feed-token', person)).json()) as {
    data: { feedToken: string }
  }
  const own = async (base: string) =>
    (await fetch(`${base}/feeds/me/${data.feedToken}.ics`, { headers: HOST })).status
  for (const base of [first, ...others]) expect([await own(base), await own(base)]).toEqual([200, 200])
  expect((await api('POST', '/v1/profile/feed-token/rotate', person)).status).toBe(200)
  expect(await own(first)).toBe(404)
  for (const base of others)
    await until('the old address is dead', async () => (await own(base)) === 404, 1000)
  for (const server of servers) await server.stop('SIGKILL')
})
