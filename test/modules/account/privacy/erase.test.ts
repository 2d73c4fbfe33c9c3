import { describe, expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { events, rsvps } from '@/db/tables/events'
import { outbox } from '@/db/tables/outbox'
import { del, get, post } from '../../../support/api'
import { eventsAbout } from '../../../support/events'
import { makeAdmin, makeCaller, makeEvent, makeGroup, makeSession } from '../../../support/make'
import { meanwhile } from '../../../support/meanwhile'

type Person = Awaited<ReturnType<typeof makeCaller>>

const people = (count: number) =>
  Promise.all(Array.from({ length: count }, () => makeCaller(['write:events', 'user'])))

const join = (eventId: string, { token }: Person) => post(`/v1/events/${eventId}/rsvp`, { token })

const place = async (eventId: string, { token }: Person) =>
  (({ status, waitlistPosition }) => [status, waitlistPosition])(
    (await get(`/v1/events/${eventId}/rsvp`, { token })).body.data.rsvp,
  )

const leave = async ({ user }: Person) =>
  del(`/v1/profile?confirm=${user.username}`, { session: await makeSession(user.id) })

const promotedAt = async (eventId: string) =>
  (
    await db
      .select({ data: outbox.payload })
      .from(outbox)
      .where(and(eq(outbox.type, 'rsvp.promoted'), sql`${outbox.payload}->>'eventId' = ${eventId}`))
  ).map(({ data }) => data)

/** A full event with a line: the first `seats` people sit, the others wait. */
async function fullEvent(seats: number, guests: Person[]) {
  const event = await makeEvent((await makeGroup()).id, { maxAttendees: seats })
  for (const guest of guests) await join(event.id, guest)
  return event
}

describe('the seat of someone who leaves for good', () => {
  for (const [who, depart] of [
    ['by themselves', leave],
    [
      'through an administrator',
      async ({ user }: Person) => del(`/v1/admin/users/${user.id}`, { token: (await makeAdmin()).token }),
    ],
  ] as const)
    test(`${who} goes to the first in line, who is notified; a newcomer is waitlisted`, async () => {
      const [gone, first, second, late] = (await people(4)) as [Person, Person, Person, Person]
      const event = await fullEvent(1, [gone, first, second])
      expect((await depart(gone)).status).toBeLessThan(300)
      expect(await place(event.id, first)).toEqual(['confirmed', null])
      expect(await place(event.id, second)).toEqual(['waitlisted', 1])
      expect((await join(event.id, late)).body.data).toMatchObject({
        status: 'waitlisted',
        waitlistPosition: 2,
      })
      expect(await promotedAt(event.id)).toEqual([
        { rsvpId: expect.any(String), eventId: event.id, userId: first.user.id, groupId: event.groupId },
      ])
      expect((await get(`/v1/events/${event.id}`, { token: late.token })).body.data.rsvpCount).toBe(1)
    })

  test('is given on at each of their events, and nowhere past the capacity', async () => {
    const [gone, first, second] = (await people(3)) as [Person, Person, Person]
    const [one, two] = [await fullEvent(1, [gone, first]), await fullEvent(2, [second, gone, first])]
    const shrunk = await fullEvent(2, [gone, second, first])
    await db.update(events).set({ maxAttendees: 1 }).where(eq(events.id, shrunk.id))
    expect((await leave(gone)).status).toBe(200)
    expect(await place(one.id, first)).toEqual(['confirmed', null])
    expect(await place(two.id, first)).toEqual(['confirmed', null])
    expect(await place(shrunk.id, first)).toEqual(['waitlisted', 1])
    const counts = await db.select().from(events).where(eq(events.groupId, shrunk.groupId))
    expect(counts.map(({ confirmedCount }) => confirmedCount)).toEqual([1])
  })

  test('stays empty where the event was cancelled or is over; a place in line closes up', async () => {
    const [gone, first, second] = (await people(3)) as [Person, Person, Person]
    const [cancelled, over] = [await fullEvent(1, [gone, first]), await fullEvent(1, [gone, first])]
    const waiting = await fullEvent(1, [second, gone, first])
    await db.update(events).set({ status: 'cancelled' }).where(eq(events.id, cancelled.id))
    const past = new Date(Date.now() - 60_000)
    await db
      .update(events)
      .set({ startTime: new Date(past.getTime() - 60_000), endTime: past, overAt: past })
      .where(eq(events.id, over.id))
    expect((await leave(gone)).status).toBe(200)
    for (const event of [cancelled, over, waiting]) {
      expect(await place(event.id, first)).toEqual(['waitlisted', 1])
      expect(await promotedAt(event.id)).toEqual([])
    }
    for (const { id } of [cancelled, over])
      expect((await db.select().from(events).where(eq(events.id, id)))[0]?.confirmedCount).toBe(0)
  })

  test('stays theirs when they may not leave', async () => {
    const [owner, first] = (await people(2)) as [Person, Person]
    await makeGroup({}, owner.user.id)
    const event = await fullEvent(1, [owner, first])
    expect((await leave(owner)).status).toBe(409)
    expect([await place(event.id, owner), await place(event.id, first)]).toEqual([
      ['confirmed', null],
      ['waitlisted', 1],
    ])
    expect(await promotedAt(event.id)).toEqual([])
  })

  test('goes on to the next even when it became theirs while they were leaving', async () => {
    const [seated, gone, next] = (await people(3)) as [Person, Person, Person]
    const event = await fullEvent(1, [seated, gone, next])
    const answered = ({ user }: Person) => and(eq(rsvps.eventId, event.id), eq(rsvps.userId, user.id))
    const answer = await meanwhile(
      async (tx) => {
        await tx.update(rsvps).set({ status: 'cancelled' }).where(answered(seated))
        await tx.update(rsvps).set({ status: 'confirmed', waitlistNumber: null }).where(answered(gone))
      },
      () => leave(gone),
    )
    expect(answer.status).toBe(200)
    expect(await place(event.id, next)).toEqual(['confirmed', null])
  })

  test('goes to no one if the capacity is lowered meanwhile', async () => {
    const [gone, other, first] = (await people(3)) as [Person, Person, Person]
    const event = await fullEvent(2, [gone, other, first])
    const answer = await meanwhile(
      (tx) => tx.update(events).set({ maxAttendees: 1 }).where(eq(events.id, event.id)),
      () => leave(gone),
    )
    expect(answer.status).toBe(200)
    expect(await place(event.id, first)).toEqual(['waitlisted', 1])
  })

  test('is not taken from the line by those who come at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [gone, first, late, alsoGone] = (await people(4)) as [Person, Person, Person, Person]
      const event = await fullEvent(2, [gone, alsoGone, first])
      const answers = await Promise.all([leave(gone), join(event.id, late), leave(alsoGone)])
      expect(answers.map(({ status }) => status)).toEqual([200, 201, 200])
      // Two seats are free and two people want them: nobody is left waiting.
      expect([await place(event.id, first), await place(event.id, late)]).toEqual([
        ['confirmed', null],
        ['confirmed', null],
      ])
      expect((await db.select().from(events).where(eq(events.id, event.id)))[0]?.confirmedCount).toBe(2)
    }
  })
})

test('a deletion emits domain events for the person and each of their applications', async () => {
  const { user, token } = await makeCaller(['developer'])
  const made = await post('/v1/developer/apps', {
    token,
    json: { name: 'Mine', redirectUris: ['https://app.example/callback'] },
  })
  const { clientId } = made.body.data
  const session = await makeSession(user.id)
  expect((await del(`/v1/profile?confirm=${user.username}`, { session })).status).toBe(200)
  expect((await eventsAbout(user.id)).at(-1)).toEqual({ type: 'user.deleted', data: { userId: user.id } })
  const [created, deleted] = await eventsAbout(clientId)
  expect([created?.type, deleted]).toEqual([
    'app.created',
    { type: 'app.deleted', data: { clientId, userId: user.id } },
  ])
})
