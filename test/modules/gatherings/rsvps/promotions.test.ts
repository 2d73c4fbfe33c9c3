import { describe, expect, test } from 'bun:test'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { BusMessage } from '@/core/domain-events'
import { newId } from '@/core/ids'
import { db, type Tx } from '@/db/client'
import { databaseError } from '@/db/conflicts'
import { events, rsvps, unfilledEvents } from '@/db/tables/events'
import { outbox } from '@/db/tables/outbox'
import { rsvpsArea } from '@/modules/gatherings/rsvps/area'
import { subscribe } from '@/outbox/bus'
import { runSweeps } from '../../../../workers/sweeps'
import { del, get, patch, post } from '../../../support/api'
import { makeCaller, makeEvent, makeGroup } from '../../../support/make'
import { until } from '../../../support/processes'
import { statementsOf } from '../../../support/statements'

async function stage(maxAttendees: number | null) {
  const owner = await makeCaller(['manage:events', 'write:events'])
  const group = await makeGroup({}, owner.user.id)
  const event = await makeEvent(group.id, { maxAttendees })
  const manage = `/v1/manage/groups/${group.id}/events/${event.id}`
  const change = (json: object) => patch(manage, { token: owner.token, json })
  const counted = async () =>
    (await db.select().from(events).where(eq(events.id, event.id)))[0]?.confirmedCount
  return { owner, group, event, change, counted }
}

/** As many as a statement can write in its time even where the machine is busy. */
const PORTION = 500

/** People who nobody is, and what they answered: first those with a seat, then those in line. */
async function fill(eventId: string, { seated = 0, waiting = 0 }) {
  for (let from = 1; from <= seated + waiting; from += PORTION)
    await fillPortion(eventId, seated, from, Math.min(from + PORTION - 1, seated + waiting))
}

async function fillPortion(eventId: string, seated: number, from: number, to: number) {
  await db.execute(sql`with people as (
      insert into users (id, username, name)
      select gen_random_uuid(), 'filler-' || gen_random_uuid(), 'Filler' from generate_series(${from}::int, ${to}::int)
      returning id
    ), numbered as (select id, ${from}::int - 1 + row_number() over () as place from people)
    insert into rsvps (id, event_id, user_id, status, waitlist_number)
    select gen_random_uuid(), ${eventId}, id, case when place <= ${seated} then 'confirmed' else 'waitlisted' end,
      case when place > ${seated} then place end
    from numbered`)
}

const promotedAt = (eventId: string) =>
  db
    .select({ data: outbox.payload })
    .from(outbox)
    .where(and(eq(outbox.type, 'rsvp.promoted'), sql`${outbox.payload}->>'eventId' = ${eventId}`))

describe('an event that was over and is moved ahead again', () => {
  test('promotes people who waited meanwhile', async () => {
    const { event, change } = await stage(1)
    const [gone, first, second] = await Promise.all([1, 2, 3].map(() => makeCaller(['write:events'])))
    const path = `/v1/events/${event.id}/rsvp`
    for (const person of [gone, first, second]) await post(path, { token: person?.token })
    const place = async (person: typeof first) =>
      (await get(path, { token: person?.token })).body.data.rsvp.status
    const hours = (from: number) => ({
      startTime: new Date(Date.now() + from * 3_600_000).toISOString(),
      endTime: new Date(Date.now() + (from + 1) * 3_600_000).toISOString(),
    })
    expect((await change(hours(-5))).status).toBe(200)
    expect((await del(path, { token: gone?.token })).status).toBe(200)
    expect([await place(first), await place(second)]).toEqual(['waitlisted', 'waitlisted'])
    const moved = await change(hours(24))
    expect(moved.body.data.rsvpSummary).toMatchObject({ confirmed: 1, waitlisted: 1 })
    expect([await place(first), await place(second)]).toEqual(['confirmed', 'waitlisted'])
    expect((await promotedAt(event.id)).map(({ data }) => data)).toEqual([
      {
        rsvpId: expect.any(String),
        eventId: event.id,
        userId: first?.user.id as string,
        groupId: event.groupId,
      },
    ])
    // Any other change finds nobody to seat.
    expect((await change({ title: 'Moved' })).body.data.rsvpSummary).toMatchObject({
      confirmed: 1,
      waitlisted: 1,
    })
  })
})

describe('a long line', () => {
  const WAITING = 6000

  test('is promoted at once when the capacity is cleared, with one notice each', async () => {
    const { event, change, counted } = await stage(1)
    await fill(event.id, { seated: 1, waiting: WAITING })
    const heard: BusMessage[] = []
    subscribe((domainEvents) => heard.push(...domainEvents))
    const answer = await change({ maxAttendees: null })
    expect([answer.status, answer.body.data?.rsvpSummary]).toEqual([
      200,
      { total: WAITING + 1, confirmed: 1001, waitlisted: WAITING - 1000, cancelled: 0, capacity: null },
    ])
    await until('everyone has a seat', async () => (await counted()) === WAITING + 1)
    const told = (await promotedAt(event.id)).map(({ data }) => data as { rsvpId: string; userId: string })
    const rows = await db.select().from(rsvps).where(eq(rsvps.eventId, event.id))
    const seats = new Map(rows.map(({ id, userId }) => [id, userId]))
    expect(told).toHaveLength(WAITING)
    expect(new Set(told.map(({ rsvpId }) => rsvpId)).size).toBe(WAITING)
    expect(told.every(({ rsvpId, userId }) => seats.get(rsvpId) === userId)).toBe(true)
    expect(
      heard.filter(
        (domainEvent) => domainEvent.type === 'rsvp.promoted' && domainEvent.data.eventId === event.id,
      ).length,
    ).toBe(WAITING)
  })

  test('goes before newcomers, and moves up after the process that promoted it has died', async () => {
    const { event, counted } = await stage(1)
    await fill(event.id, { seated: 1, waiting: 3 })
    // As a process leaves it that dies between two portions.
    await db.execute(sql`update events set max_attendees = 4, waitlist_tail = 4 where id = ${event.id}`)
    await db.execute(sql`insert into unfilled_events values (${event.id})`)
    const late = await makeCaller(['write:events', 'read:events'])
    const answer = await post(`/v1/events/${event.id}/rsvp`, { token: late.token })
    expect(answer.body.data).toMatchObject({ status: 'waitlisted', waitlistPosition: 4 })
    await runSweeps(rsvpsArea.sweeps)
    expect([await counted(), (await promotedAt(event.id)).length]).toEqual([4, 3])
    expect((await get(`/v1/events/${event.id}/rsvp`, { token: late.token })).body.data).toMatchObject({
      rsvp: { status: 'waitlisted', waitlistPosition: 1 },
    })
    expect(await db.$count(unfilledEvents, eq(unfilledEvents.eventId, event.id))).toBe(0)
  })

  test('moves up by as many as fit, in order', async () => {
    const { event, change, counted } = await stage(1)
    await fill(event.id, { seated: 1, waiting: 1500 })
    expect((await change({ maxAttendees: 1201 })).body.data.rsvpSummary).toMatchObject({
      confirmed: 1001,
      waitlisted: 500,
    })
    await until('the others moved up', async () => (await counted()) === 1201)
    const [left] = await db
      .select({
        first: sql<number>`min(${rsvps.waitlistNumber})`,
        last: sql<number>`max(${rsvps.waitlistNumber})`,
      })
      .from(rsvps)
      .where(eq(rsvps.eventId, event.id))
    expect(left).toEqual({ first: 1202, last: 1501 })
    expect(await promotedAt(event.id)).toHaveLength(1200)
  })

  test('costs statements by the thousand people, not by the person', async () => {
    const { event, change } = await stage(1)
    await fill(event.id, { seated: 1, waiting: 2000 })
    // Notifications of earlier domain events may still be sent: a few hundred at most.
    expect(await statementsOf(() => change({ maxAttendees: null }), 1)).toBeLessThan(1000)
  })
})

describe('the count of guests', () => {
  const updatesOfEvents = async (tx: Tx) =>
    Number(
      (await tx.execute(sql`select n_tup_upd from pg_stat_xact_user_tables where relname = 'events'`))[0]
        ?.n_tup_upd,
    )

  test('changes once for each event of a statement, however many people it concerns', async () => {
    const [one, two] = [await stage(null), await stage(null)]
    for (const { event } of [one, two]) await fill(event.id, { seated: 40, waiting: 60 })
    const ids = [one.event.id, two.event.id]
    const costs = await db.transaction(async (tx) => {
      const before = await updatesOfEvents(tx)
      const ofBoth = inArray(rsvps.eventId, ids)
      await tx.update(rsvps).set({ status: 'confirmed', waitlistNumber: null }).where(ofBoth)
      const updated = await updatesOfEvents(tx)
      await tx.update(rsvps).set({ rsvpAt: new Date() }).where(ofBoth)
      const untouched = await updatesOfEvents(tx)
      await tx.delete(rsvps).where(ofBoth)
      return [updated - before, untouched - updated, (await updatesOfEvents(tx)) - untouched]
    })
    expect(costs).toEqual([2, 0, 2])
    expect([await one.counted(), await two.counted()]).toEqual([0, 0])
  })

  test('follows rows that come, change, move to another event and go with their people', async () => {
    const [one, two] = [await stage(null), await stage(null)]
    const counts = async () => [await one.counted(), await two.counted()]
    await fill(one.event.id, { seated: 5, waiting: 3 })
    expect(await counts()).toEqual([5, 0])
    const [moving, leaving] = await db
      .select()
      .from(rsvps)
      .where(and(eq(rsvps.eventId, one.event.id), eq(rsvps.status, 'confirmed')))
    await db
      .update(rsvps)
      .set({ eventId: two.event.id })
      .where(eq(rsvps.id, moving?.id as string))
    expect(await counts()).toEqual([4, 1])
    await db.execute(sql`delete from users where id in (${moving?.userId}, ${leaving?.userId})`)
    expect(await counts()).toEqual([3, 0])
    const again = sql`on conflict (event_id, user_id) do update set status = excluded.status, waitlist_number = null`
    await db.execute(sql`insert into rsvps (id, event_id, user_id, status)
      select gen_random_uuid(), event_id, user_id, 'confirmed' from rsvps where event_id = ${one.event.id} ${again}`)
    expect(await counts()).toEqual([6, 0])
  })

  test('never passes the capacity: a statement that would is refused whole', async () => {
    const { event, counted } = await stage(3)
    await fill(event.id, { seated: 2, waiting: 4 })
    const refusal = (asked: Promise<unknown>) =>
      asked.then(
        () => 'done',
        (error) => databaseError(error)?.constraint_name,
      )
    const line = and(eq(rsvps.eventId, event.id), eq(rsvps.status, 'waitlisted'))
    const seat = { status: 'confirmed', waitlistNumber: null } as const
    expect(await refusal(db.update(rsvps).set(seat).where(line))).toBe('events_overbooked')
    expect(await refusal(fill(event.id, { seated: 2 }))).toBe('events_overbooked')
    expect(await counted()).toBe(2)
    const [first] = await db.select().from(rsvps).where(line).orderBy(rsvps.waitlistNumber)
    expect(
      await refusal(
        db
          .update(rsvps)
          .set(seat)
          .where(eq(rsvps.id, first?.id as string)),
      ),
    ).toBe('done')
    const late = await makeCaller()
    const sit = db.insert(rsvps).values({ id: newId(), eventId: event.id, userId: late.user.id, ...seat })
    expect(await refusal(sit)).toBe('events_overbooked')
    expect(await counted()).toBe(3)
  })
})
