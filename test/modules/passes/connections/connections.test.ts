import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { connections } from '@/db/tables/passes'
import { users } from '@/db/tables/users'
import { subscribe } from '@/outbox/bus'
import { del, get, type Json } from '../../../support/api'
import { makeCaller, makeUser } from '../../../support/make'
import { statementsOf } from '../../../support/statements'
import { connect, makeTag, meetStranger } from '../fixtures'

const makePerson = (fields = {}) => makeCaller(['write:meetpass', 'user'], fields)
type Person = Awaited<ReturnType<typeof makePerson>>

const ALL = '/v1/meetpass/connections'

const day = (number: number) => ({ createdAt: new Date(Date.UTC(2026, 0, number)) })

const listed = async ({ token }: Person, query = ''): Promise<Json[]> =>
  (await get(`${ALL}${query}`, { token })).body.data

const idsOf = (rows: Json[]): string[] => rows.map(({ id }) => id)

/** Every number that is told of whom somebody met. */
async function numbersOf({ token }: Person) {
  const { passes, totalConnections } = (await get('/v1/meetpass', { token })).body.data
  const counts = await Promise.all(
    passes.map(
      async ({ id }: Json) => (await get(`/v1/meetpass/${id}`, { token })).body.data.connectionCount,
    ),
  )
  const { connectionCount } = (await get('/v1/meetpass/qr', { token })).body.data
  const steps = (await get('/v1/me/onboarding', { token })).body.data
  const { completed } = steps.find(({ key }: Json) => key === 'connect_meetpass')
  const { data, pagination } = (await get(ALL, { token })).body
  return { totalConnections, counts, connectionCount, completed, listed: data.length, pagination }
}

describe('the list of connections', () => {
  test('holds both sides, newest first, each as seen by who asks', async () => {
    const [me, tapped, tapping] = [
      await makePerson(),
      await makePerson({ avatarUrl: 'https://x.example/a.png' }),
      await makePerson(),
    ]
    const outbound = await connect(tapped.user.id, me.user.id, day(1))
    const inbound = await connect(me.user.id, tapping.user.id, day(2))
    await connect(tapped.user.id, tapping.user.id, day(3))
    const { status, body } = await get(ALL, { token: me.token })
    expect([status, body]).toEqual([
      200,
      {
        data: [
          {
            id: inbound,
            direction: 'inbound',
            createdAt: '2026-01-02T00:00:00.000Z',
            connectedUserId: tapping.user.id,
            connectedName: tapping.user.name,
            connectedUsername: tapping.user.username,
            connectedAvatarUrl: null,
            visitorAnonId: null,
          },
          {
            id: outbound,
            direction: 'outbound',
            createdAt: '2026-01-01T00:00:00.000Z',
            connectedUserId: tapped.user.id,
            connectedName: tapped.user.name,
            connectedUsername: tapped.user.username,
            connectedAvatarUrl: 'https://x.example/a.png',
            visitorAnonId: null,
          },
        ],
        pagination: { limit: 20, hasMore: false, offset: 0 },
      },
    ])
    expect(idsOf(await listed(me, '?direction=inbound'))).toEqual([inbound])
    expect(idsOf(await listed(me, '?direction=outbound'))).toEqual([outbound])
    expect((await get(`${ALL}?direction=sideways`, { token: me.token })).status).toBe(400)
  })

  test('is paged over both sides, forwards and backwards, without a gap', async () => {
    const me = await makePerson()
    const expected: string[] = []
    for (let i = 0; i < 9; i += 1) {
      const { id } = await makeUser()
      // Three at a time met at the same moment.
      const when = day(1 + Math.floor(i / 3))
      expected.push(await (i % 2 ? connect(me.user.id, id, when) : connect(id, me.user.id, when)))
    }
    const order = idsOf(await listed(me))
    expect(order).toEqual([...expected].reverse())
    const walked: string[] = []
    let cursor = ''
    let page: Json
    do {
      page = (await get(`${ALL}?limit=2${cursor}`, { token: me.token })).body
      walked.push(...idsOf(page.data))
      cursor = `&cursor=${encodeURIComponent(page.pagination.nextCursor)}`
    } while (page.pagination.hasMore)
    expect(walked).toEqual(order)
    const before = `&before=${encodeURIComponent(page.pagination.prevCursor)}`
    expect(idsOf(await listed(me, `?limit=3${before}`))).toEqual(order.slice(5, 8))
    expect(idsOf(await listed(me, '?limit=4&offset=3'))).toEqual(order.slice(3, 7))
    const other = await get(`${ALL}?limit=2${before}&direction=inbound`, { token: me.token })
    expect([other.status, other.body.code]).toEqual([400, 'bad_request'])
  })

  test('has a constant number of statements', async () => {
    const me = await makePerson()
    for (let i = 0; i < 12; i += 1) await connect(me.user.id, (await makeUser()).id)
    const cost = (limit: number) => statementsOf(() => get(`${ALL}?limit=${limit}`, { token: me.token }))
    await cost(1)
    expect(await cost(12)).toBe(await cost(1))
  })

  test('shows anonymous visitors only by an id that differs per owner', async () => {
    const [first, second] = [await makePerson(), await makePerson()]
    const strangerHash = crypto.getRandomValues(new Uint8Array(32))
    const id = await meetStranger(first.user.id, { strangerHash, ...day(1) })
    await meetStranger(second.user.id, { strangerHash })
    await meetStranger(first.user.id, day(2))
    const rows = await listed(first)
    expect(rows[1]).toEqual({
      id,
      direction: 'inbound',
      createdAt: '2026-01-01T00:00:00.000Z',
      connectedUserId: null,
      connectedName: null,
      connectedUsername: null,
      connectedAvatarUrl: null,
      visitorAnonId: expect.stringMatching(/^[\w-]{22}$/),
    })
    const shown = [...rows, ...(await listed(second))].map(({ visitorAnonId }) => visitorAnonId)
    expect(new Set(shown).size).toBe(3)
    for (const form of ['hex', 'base64', 'base64url'] as const)
      expect(JSON.stringify(rows)).not.toContain(Buffer.from(strangerHash).toString(form).slice(0, 20))
    expect((await listed(first))[1]).toEqual(rows[1])
    // Strangers are listed, and not counted.
    expect(await numbersOf(first)).toMatchObject({ totalConnections: 0, completed: false, listed: 2 })
  })

  test('shows a private person by name and picture', async () => {
    const me = await makePerson()
    const avatarUrl = 'https://x.example/p.png'
    const hidden = await makePerson({ profileVisibility: 'private', avatarUrl, bio: 'A secret bio' })
    await connect(me.user.id, hidden.user.id)
    const [row] = await listed(me)
    expect(row).toMatchObject({
      connectedUserId: hidden.user.id,
      connectedName: hidden.user.name,
      connectedUsername: null,
      connectedAvatarUrl: avatarUrl,
    })
    expect(JSON.stringify(row)).not.toContain(hidden.user.username as string)
    expect((await numbersOf(me)).totalConnections).toBe(1)
    expect((await listed(hidden))[0].connectedUsername).toBe(me.user.username)
  })
})

test('a suspended person is in no list and no count', async () => {
  const me = await makePerson()
  const [tapped, tapping] = [await makeUser(), await makeUser()]
  const tag = await makeTag({ ownerId: me.user.id })
  const without = await numbersOf(me)
  const ids = [await connect(tapped.id, me.user.id), await connect(me.user.id, tapping.id, { passId: tag })]
  const met = await numbersOf(me)
  expect(met).toMatchObject({ totalConnections: 2, counts: [0, 1], completed: true, listed: 2 })
  const suspend = (suspendedAt: Date | null) =>
    Promise.all(
      [tapped, tapping].map(({ id }) => db.update(users).set({ suspendedAt }).where(eq(users.id, id))),
    )
  await suspend(new Date())
  expect(await numbersOf(me)).toEqual(without)
  // What is not listed is not there to be removed.
  for (const id of ids) expect((await del(`${ALL}/${id}`, { token: me.token })).status).toBe(404)
  await suspend(null)
  expect(await numbersOf(me)).toEqual(met)
})

describe('a connection', () => {
  test('is removed on one side, and stays on the other', async () => {
    const [owner, visitor] = [await makePerson(), await makePerson()]
    const tag = await makeTag({ ownerId: owner.user.id })
    const id = await connect(owner.user.id, visitor.user.id, { passId: tag })
    const heard: object[] = []
    subscribe((messages) => {
      for (const { type, data } of messages)
        if (type === 'connection.changed' && data.ownerId === owner.user.id) heard.push(data)
    })
    expect((await del(`${ALL}/${id}`, { token: owner.token })).status).toBe(204)
    expect(await numbersOf(owner)).toMatchObject({
      totalConnections: 0,
      counts: [0, 0],
      completed: false,
      listed: 0,
    })
    expect(await numbersOf(visitor)).toMatchObject({ totalConnections: 1, completed: true, listed: 1 })
    expect((await del(`${ALL}/${id}`, { token: owner.token })).status).toBe(404)
    expect((await del(`${ALL}/${id}`, { token: visitor.token })).status).toBe(204)
    expect(await numbersOf(visitor)).toMatchObject({ totalConnections: 0, completed: false, listed: 0 })
    // Neither has it any more, and a tap still finds that they met.
    expect(await db.$count(connections, eq(connections.id, id))).toBe(1)
    const pair = { ownerId: owner.user.id, visitorId: visitor.user.id }
    expect(heard.slice(0, 2)).toEqual([pair, pair])
  })

  test('with a stranger is removed by the owner', async () => {
    const owner = await makePerson()
    const id = await meetStranger(owner.user.id)
    expect((await del(`${ALL}/${id}`, { token: owner.token })).status).toBe(204)
    expect(await listed(owner)).toEqual([])
  })

  test('of others is the same 404 as none', async () => {
    const [me, owner, visitor] = [await makePerson(), await makePerson(), await makePerson()]
    const id = await connect(owner.user.id, visitor.user.id)
    const [foreign, none] = [
      await del(`${ALL}/${id}`, { token: me.token }),
      await del(`${ALL}/${Bun.randomUUIDv7()}`, { token: me.token }),
    ]
    expect([foreign.status, foreign.text]).toEqual([404, none.text])
    expect([(await listed(owner)).length, (await listed(visitor)).length]).toEqual([1, 1])
  })

  test('is removed by those who may write', async () => {
    const { user, token } = await makeCaller(['read:meetpass'])
    const id = await connect(user.id, (await makeUser()).id)
    expect((await del(`${ALL}/${id}`, { token })).body.code).toBe('insufficient_scope')
  })
})
