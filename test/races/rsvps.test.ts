import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { ownDatabase } from '../support/processes'
import { type Seeded, seedEvent, seedPeople } from '../support/seed'
import { startThree, type Three } from '../support/three'

const PEOPLE = 200

describe('seats and places in line over three processes', () => {
  let three: Three
  let sql: postgres.Sql
  let people: Seeded[]
  let databaseUrl: string
  beforeAll(async () => {
    databaseUrl = await ownDatabase()
    sql = postgres(databaseUrl, { max: 24, onnotice: () => {} })
    people = await seedPeople(databaseUrl, PEOPLE, ['write:events', 'manage:events'])
    three = await startThree(databaseUrl)
  })
  afterAll(async () => {
    await sql.end()
    await three.stop()
  })

  /** As a client would: a busy server says when to come back, and is asked again. */
  const ask = async (
    i: number,
    method: string,
    path: string,
    token: string,
    body?: object,
  ): Promise<Response> => {
    for (;;) {
      const response = await fetch(`${three.servers[i % 3]?.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      })
      if (response.status !== 503) return response
      await Bun.sleep(Number(response.headers.get('retry-after')) * 100)
    }
  }

  /** Whatever was seen while it happened: more seats taken than there are. */
  const watch = (eventId: string) => {
    let [stopped, worst] = [false, 0]
    const looking = (async () => {
      while (!stopped) {
        const [row] =
          await sql`select count(*) filter (where r.status = 'confirmed')::int - e.max_attendees as over
          from events e left join rsvps r on r.event_id = e.id where e.id = ${eventId} group by e.id`
        worst = Math.max(worst, Number(row?.over ?? 0))
      }
    })()
    return async () => {
      stopped = true
      await looking
      return worst
    }
  }

  const state = async (eventId: string) => {
    const rows =
      await sql`select user_id, status, waitlist_number from rsvps where event_id = ${eventId} order by waitlist_number`
    const [event] = await sql`select confirmed_count, max_attendees from events where id = ${eventId}`
    const confirmed = rows
      .filter(({ status }) => status === 'confirmed')
      .map(({ user_id }) => String(user_id))
    const waiting = rows.filter(({ status }) => status === 'waitlisted').map(({ user_id }) => String(user_id))
    return { confirmed, waiting, counted: Number(event?.confirmed_count), rows: rows.length }
  }

  for (const capacity of [1, 7, 50])
    test(`${PEOPLE} people and ${capacity} seats: no seat is taken twice, the line has no gaps`, async () => {
      const { eventId } = await seedEvent(databaseUrl, { maxAttendees: capacity })
      const done = watch(eventId)
      const answers = await Promise.all(
        people.map(
          async ({ token }, i) =>
            (
              (await (await ask(i, 'POST', `/v1/events/${eventId}/rsvp`, token)).json()) as {
                data: { status: string; waitlistPosition: number | null }
              }
            ).data,
        ),
      )
      expect(await done()).toBe(0)
      const { confirmed, waiting, counted, rows } = await state(eventId)
      expect([confirmed.length, waiting.length, counted, rows]).toEqual([
        capacity,
        PEOPLE - capacity,
        capacity,
        PEOPLE,
      ])
      expect(answers.filter(({ status }) => status === 'confirmed')).toHaveLength(capacity)
      const places = answers
        .filter(({ status }) => status === 'waitlisted')
        .map(({ waitlistPosition }) => waitlistPosition)
      expect(places.sort((a, b) => Number(a) - Number(b))).toEqual(
        Array.from({ length: PEOPLE - capacity }, (_, i) => i + 1),
      )
      const again = await Promise.all(
        people.slice(0, 30).map(({ token }, i) => ask(i + 1, 'POST', `/v1/events/${eventId}/rsvp`, token)),
      )
      expect(new Set(again.map(({ status }) => status))).toEqual(new Set([409]))
    })

  test('forty concurrent cancellations promote exactly forty, in order, with one notice each', async () => {
    const { eventId } = await seedEvent(databaseUrl, { maxAttendees: 60 })
    for (const [i, { token }] of people.entries()) await ask(i, 'POST', `/v1/events/${eventId}/rsvp`, token)
    const before = await state(eventId)
    const done = watch(eventId)
    const holders = people.filter(({ id }) => before.confirmed.includes(id)).slice(0, 40)
    const answers = await Promise.all(
      holders.map(({ token }, i) => ask(i, 'DELETE', `/v1/events/${eventId}/rsvp`, token)),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(await done()).toBe(0)
    const after = await state(eventId)
    expect(after.waiting).toEqual(before.waiting.slice(40))
    expect(after.confirmed.sort()).toEqual(
      [
        ...before.confirmed.filter((id) => !holders.some((holder) => holder.id === id)),
        ...before.waiting.slice(0, 40),
      ].sort(),
    )
    const domainEvents =
      await sql`select payload->>'userId' as user_id from outbox where type = 'rsvp.promoted' and payload->>'eventId' = ${eventId}`
    expect(domainEvents.map(({ user_id }) => String(user_id)).sort()).toEqual(
      before.waiting.slice(0, 40).sort(),
    )
  })

  test('concurrent RSVPs and capacity changes: never overbooked, and counts are correct', async () => {
    const { eventId, groupId, owner } = await seedEvent(databaseUrl, { maxAttendees: 10 })
    const work = people.slice(0, 60).map(async ({ token }, i) => {
      const statuses: number[] = []
      for (let round = 0; round < 8; round += 1)
        statuses.push(
          (await ask(i + round, (i + round) % 3 ? 'POST' : 'DELETE', `/v1/events/${eventId}/rsvp`, token))
            .status,
        )
      return statuses
    })
    const resize = (async () => {
      for (let round = 0; round < 12; round += 1)
        await ask(round, 'PATCH', `/v1/manage/groups/${groupId}/events/${eventId}`, owner.token, {
          maxAttendees: [4, 15, 7, 25][round % 4],
        })
    })()
    const statuses = (await Promise.all(work)).flat()
    await resize
    expect([...new Set(statuses)].filter((status) => ![200, 201, 404, 409].includes(status))).toEqual([])
    const { confirmed, waiting, counted } = await state(eventId)
    expect(counted).toBe(confirmed.length)
    // The last capacity is the highest there ever was. Room and people waiting for it never go together.
    expect(confirmed.length).toBeLessThanOrEqual(25)
    if (waiting.length > 0) expect(confirmed.length).toBe(25)
  })

  test('the database itself refuses an overbooked seat', async () => {
    const { eventId } = await seedEvent(databaseUrl, { maxAttendees: 1 })
    const sit = (id: string) =>
      sql`insert into rsvps (id, event_id, user_id, status) values (${Bun.randomUUIDv7()}, ${eventId}, ${id}, 'confirmed')`
    await sit(people[0]?.id as string)
    const refused = await sit(people[1]?.id as string).catch(
      (error: { constraint_name: string }) => error.constraint_name,
    )
    expect(refused).toBe('events_overbooked')
  })

  test('control: looking for a seat and then taking it, without lock and guard, overbooks and is seen', async () => {
    const { eventId } = await seedEvent(databaseUrl, { maxAttendees: 5 })
    await sql`alter table events disable trigger events_capacity_guard`
    const done = watch(eventId)
    await Promise.all(
      people.slice(0, 40).map(({ id }) =>
        sql.begin(async (tx) => {
          const [row] = await tx`select confirmed_count, max_attendees from events where id = ${eventId}`
          await tx`select pg_sleep(0.01)`
          if (Number(row?.confirmed_count) < Number(row?.max_attendees))
            await tx`insert into rsvps (id, event_id, user_id, status) values (${Bun.randomUUIDv7()}, ${eventId}, ${id}, 'confirmed')`
        }),
      ),
    )
    await sql`alter table events enable trigger events_capacity_guard`
    expect(await done()).toBeGreaterThan(0)
  })
})
