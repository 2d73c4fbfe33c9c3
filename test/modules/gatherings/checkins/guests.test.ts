import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { checkins, events, guests } from '@/db/tables/events'
import { transaction } from '@/db/transaction'
import { erase } from '@/modules/account/privacy/erase'
import { checkinsArea } from '@/modules/gatherings/checkins/area'
import { del, get, type Json, post } from '../../../support/api'
import { makeUser } from '../../../support/make'
import { inHours } from '../../../support/time'
import { makeCheckin, makeRsvp, makeStaffedEvent } from './fixtures'

const guestsOf = (eventId: string) => db.select().from(guests).where(eq(guests.eventId, eventId))
const checkinsOf = (eventId: string) => db.select().from(checkins).where(eq(checkins.eventId, eventId))

test('a guest without an account is checked in, counted, listed, searched and exported', async () => {
  const { at, event, volunteer, manager } = await makeStaffedEvent()
  const member = await makeUser()
  await makeRsvp(event.id, member.id)
  const made = await post(`${at}/guests`, {
    token: volunteer.token,
    json: { name: 'Mona', email: 'Mona@folk.example' },
  })
  expect([made.status, made.body.data.method]).toEqual([201, 'manual'])
  const { guestId } = made.body.data
  const only = await post(`${at}/guests`, { token: volunteer.token, json: { email: 'zed@folk.example' } })
  expect(only.status).toBe(201)
  const list = async (query: string) =>
    (await get(`${at}/attendees${query}`, { token: volunteer.token })).body.data as Json[]
  expect((await list('')).map(({ userId, status, user }) => [userId, status, user.name])).toEqual([
    [member.id, 'confirmed', member.name],
    [null, 'walk_in', 'Mona'],
    [null, 'walk_in', 'zed@folk.example'],
  ])
  expect((await list('?search=mona'))[0]).toMatchObject({
    userId: null,
    guest: { id: guestId, name: 'Mona', email: 'mona@folk.example' },
    checkedIn: true,
  })
  expect((await list('?checkedIn=false')).map(({ userId }) => userId)).toEqual([member.id])
  expect(await list('?status=walk_in')).toHaveLength(2)
  const first = await get(`${at}/attendees?limit=2`, { token: volunteer.token })
  const rest = await list(`?limit=2&cursor=${encodeURIComponent(first.body.pagination.nextCursor)}`)
  expect(rest.map(({ user }) => user.name)).toEqual(['zed@folk.example'])
  expect(await checkinsOf(event.id)).toHaveLength(2)
  const { url } = (await post(`${at}/attendees/export`, { token: manager.token })).body.data
  const lines = (await get(new URL(url).pathname)).text.trim().split('\r\n')
  expect(lines).toHaveLength(4)
  expect(lines[2]).toMatch(/^Mona,,Walk-in,,,Yes,\d{4}-\d\d-\d\d \d\d:\d\d,by the staff,mona@folk.example$/)
})

test('a guest is refused twice, without a name, before the door opens, and by others than staff', async () => {
  const { at, volunteer, manager } = await makeStaffedEvent()
  const add = (json: object, token = volunteer.token) => post(`${at}/guests`, { token, json })
  const both = await Promise.all([add({ email: 'a@folk.example' }), add({ email: 'A@folk.example' })])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  for (const json of [
    {},
    { name: null, email: null },
    { name: '' },
    { name: 'x'.repeat(101) },
    { email: 'x' },
  ])
    expect([json, (await add(json)).status]).toEqual([json, 400])
  const other = await makeStaffedEvent({ startTime: inHours(48), endTime: null, overAt: inHours(51) })
  expect((await add({ name: 'Eve' }, other.volunteer.token)).status).toBe(404)
  const early = await post(`${other.at}/guests`, { token: other.volunteer.token, json: { name: 'Eve' } })
  expect([early.status, early.body.code]).toEqual([409, 'conflict'])
  const guestId = both.find(({ status }) => status === 201)?.body.data.guestId
  expect((await del(`${at}/guests/${guestId}`, { token: volunteer.token })).status).toBe(403)
  expect((await del(`${other.at}/guests/${guestId}`, { token: other.manager.token })).status).toBe(404)
  expect((await del(`${at}/guests/${guestId}`, { token: manager.token })).status).toBe(204)
  expect((await del(`${at}/guests/${guestId}`, { token: manager.token })).status).toBe(404)
})

test('name and address are erased 90 days after the event, or with the account of that address, and still count', async () => {
  const { at, event, volunteer } = await makeStaffedEvent()
  const leaver = await makeUser({ email: `leaver-${event.id}@folk.example` })
  for (const json of [{ name: 'Mona' }, { name: 'Left', email: leaver.email }])
    await post(`${at}/guests`, { token: volunteer.token, json })
  await makeCheckin(event.id, (await makeUser()).id)
  await transaction((tx) => erase(tx, leaver))
  expect((await guestsOf(event.id)).map(({ name }) => name)).toEqual(['Mona'])
  const age = async (days: number) => {
    const moment = inHours(-24 * days)
    await db.update(guests).set({ createdAt: moment }).where(eq(guests.eventId, event.id))
    const times = { startTime: inHours(-24 * days - 3), endTime: moment, overAt: moment }
    await db.update(events).set(times).where(eq(events.id, event.id))
    for (const { run } of checkinsArea.sweeps) await run()
    return (await guestsOf(event.id)).length
  }
  expect([await age(89), await age(91)]).toEqual([1, 0])
  expect(await checkinsOf(event.id)).toHaveLength(3)
  const { body } = await get(`${at}/attendees`, { token: volunteer.token })
  expect(body.data).toHaveLength(1)
})
