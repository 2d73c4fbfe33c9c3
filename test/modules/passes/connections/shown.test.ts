import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { connections } from '@/db/tables/passes'
import { transaction } from '@/db/transaction'
import { emit } from '@/outbox/emit'
import { del, get, type Json, patch } from '../../../support/api'
import { makeCaller, makeUser } from '../../../support/make'
import { connect, meetStranger } from '../fixtures'

const makePerson = (fields = {}) => makeCaller(['user', 'write:meetpass'], fields)
type Person = Awaited<ReturnType<typeof makePerson>>

const day = (number: number) => ({ createdAt: new Date(Date.UTC(2026, 0, number)) })

const listOf = (username: string | null, token: string, query = '') =>
  get(`/v1/users/${username}/connections${query}`, { token })

const profileOf = async ({ user }: Person, token: string): Promise<Json[]> =>
  (await get(`/v1/users/${user.username}`, { token })).body.data.recentConnections

const entryOf = ({ username, name, avatarUrl }: Person['user'], connectedAt: Date) => ({
  username,
  name,
  avatarUrl,
  connectedAt: connectedAt.toISOString(),
})

/** As a tap does it. */
async function meet(owner: Person, visitor: Person, fields = {}) {
  const connectionId = await connect(owner.user.id, visitor.user.id, fields)
  await transaction(async (tx) => {
    for (const [one, other, direction] of [
      [owner, visitor, 'inbound'],
      [visitor, owner, 'outbound'],
    ] as const)
      await emit(tx, 'meetpass.connected', {
        userId: one.user.id,
        connectedUserId: other.user.id,
        connectionId,
        direction,
      })
  })
  return connectionId
}

test('a profile shows whom a person met to anyone: people with a public profile, newest first', async () => {
  const [reader, person] = [await makePerson(), await makePerson()]
  const [tapped, tapping] = [await makePerson(), await makePerson()]
  await connect(tapped.user.id, person.user.id, day(1))
  await connect(person.user.id, tapping.user.id, day(2))
  for (const hidden of [
    await makeUser({ profileVisibility: 'private' }),
    await makeUser({ suspendedAt: new Date() }),
    await makeUser({ username: null }),
  ])
    await connect(person.user.id, hidden.id)
  await meetStranger(person.user.id)
  const expected = [entryOf(tapping.user, day(2).createdAt), entryOf(tapped.user, day(1).createdAt)]
  const { status, body } = await listOf(person.user.username, reader.token)
  expect([status, body]).toEqual([
    200,
    { data: expected, pagination: { limit: 20, hasMore: false, offset: 0 } },
  ])
  expect(await profileOf(person, reader.token)).toEqual(expected)
  const first = await listOf(person.user.username, reader.token, '?limit=1')
  const cursor = encodeURIComponent(first.body.pagination.nextCursor)
  const second = await listOf(person.user.username, reader.token, `?limit=1&cursor=${cursor}`)
  expect([...first.body.data, ...second.body.data]).toEqual(expected)
  expect(second.body.pagination.hasMore).toBe(false)
})

test('a private profile has no such list but for its owner', async () => {
  const [reader, person] = [await makePerson(), await makePerson({ profileVisibility: 'private' })]
  const none = await listOf('nobody-at-all', reader.token)
  expect([none.status, (await listOf(person.user.username, reader.token)).text]).toEqual([404, none.text])
  expect((await listOf(person.user.username, person.token)).status).toBe(200)
})

test('a profile shows the newest eight, as they are at that moment', async () => {
  const [reader, person] = [await makePerson(), await makePerson()]
  const met: Person[] = []
  for (let i = 0; i < 9; i += 1) {
    met.unshift(await makePerson())
    await meet(person, met[0] as Person, day(i + 1))
  }
  const names = async () => (await profileOf(person, reader.token)).map(({ name }) => name)
  const eight = met.slice(0, 8)
  expect(await names()).toEqual(eight.map(({ user }) => user.name))
  // Each change of one of them shows at once.
  const [newest, second] = eight as [Person, Person]
  await patch('/v1/profile', { token: newest.token, json: { name: 'Another name' } })
  expect((await names())[0]).toBe('Another name')
  await patch('/v1/profile', { token: second.token, json: { profileVisibility: 'private' } })
  expect(await names()).toEqual(['Another name', ...met.slice(2).map(({ user }) => user.name)])
  const late = await makePerson()
  await meet(late, person)
  expect((await names())[0]).toBe(late.user.name)
  expect(await profileOf(late, reader.token)).toHaveLength(1)
})

test('a connection removed by one side is not public', async () => {
  const reader = await makePerson()
  for (const side of ['owner', 'visitor'] as const) {
    const pair = { owner: await makePerson(), visitor: await makePerson() }
    const id = await meet(pair.owner, pair.visitor)
    for (const person of Object.values(pair)) expect(await profileOf(person, reader.token)).toHaveLength(1)
    expect((await del(`/v1/meetpass/connections/${id}`, { token: pair[side].token })).status).toBe(204)
    for (const person of Object.values(pair)) {
      expect(await profileOf(person, reader.token)).toEqual([])
      expect((await listOf(person.user.username, reader.token)).body.data).toEqual([])
    }
    expect(await db.$count(connections, eq(connections.id, id))).toBe(1)
  }
})
