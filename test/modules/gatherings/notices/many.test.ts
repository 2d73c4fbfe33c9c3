import { expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { listeners } from '@/areas'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { mails } from '@/db/tables/mails'
import { users } from '@/db/tables/users'
import { URGENCY } from '@/mail/letter'
import { takeMails } from '@/mail/send'
import { noticesArea } from '@/modules/gatherings/notices/area'
import { post } from '../../../support/api'
import { drain } from '../../../support/drain'
import { makeSession, makeUser } from '../../../support/make'
import { until } from '../../../support/processes'
import { inHours } from '../../../support/time'
import { stage } from './fixtures'

/** More than two statements write, and a bit. */
const GUESTS = 2500
const AT_ONCE = 500

/** People with an address who answered a while ago: every fifth waits. */
async function fill(eventId: string) {
  for (let from = 0; from < GUESTS; from += AT_ONCE)
    await db.execute(sql`with people as (
        insert into users (id, name, email)
        select gen_random_uuid(), 'Guest', gen_random_uuid() || '@example.org' from generate_series(1, ${AT_ONCE}::int)
        returning id
      ), numbered as (select id, ${from}::int + row_number() over () as place from people)
      insert into rsvps (id, event_id, user_id, status, waitlist_number, rsvp_at, changed_at)
      select gen_random_uuid(), ${eventId}, id, case when place % 5 = 0 then 'waitlisted' else 'confirmed' end,
        case when place % 5 = 0 then place end, now() - interval '3 days', now() - interval '3 days'
      from numbered`)
}

const written = (letter: string, eventId: string) =>
  db.$count(mails, and(eq(mails.letter, letter), eq(mails.topic, eventId)))

test('thousands of guests get each notice once, in the order of urgency', async () => {
  const { event, change, cancel } = await stage({ event: { startTime: inHours(29), endTime: null } })
  await fill(event.id)
  await noticesArea.schedules[0]?.run()
  await noticesArea.schedules[0]?.run()
  expect(await written('event-reminder', event.id)).toBe((GUESTS * 4) / 5)
  await change({ startTime: inHours(28).toISOString() })
  await drain(listeners)
  await change({ startTime: inHours(27).toISOString() })
  await drain(listeners)
  expect(await written('event-moved', event.id)).toBe(GUESTS)
  // An event within the week goes ahead of cancelled events of next year, moved as it is.
  const [moved] = await db
    .select()
    .from(mails)
    .where(eq(mails.topic, event.id))
    .orderBy(mails.urgency)
    .limit(1)
  expect([moved?.letter, moved?.urgency]).toEqual(['event-moved', URGENCY.thisWeek])
  await cancel()
  // The first letters are committed while the last guest cannot be written to yet.
  const last = sql`select user_id from rsvps where event_id = ${event.id} order by user_id desc limit 1`
  let drained: Promise<unknown> = Promise.resolve()
  await db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from users where id = (${last}) for update`)
    drained = drain(listeners)
    await until('2,000 letters are there', async () => (await written('event-cancelled', event.id)) === 2000)
  })
  await drained
  await drain(listeners)
  expect(await written('event-cancelled', event.id)).toBe(GUESTS)
  // What it makes obsolete is gone at once, and it goes ahead of whatever else waits.
  expect([await written('event-moved', event.id), await written('event-reminder', event.id)]).toEqual([0, 0])
  const [owner] = await db.insert(users).values({ id: newId(), name: 'Owner' }).returning()
  const older = {
    userId: owner?.id,
    letter: 'rsvp-confirmed',
    fact: event.id,
    topic: event.id,
    urgency: URGENCY.important,
  }
  const times = { createdAt: inHours(-1), dueAt: inHours(-1), expiresAt: inHours(9) }
  await db.insert(mails).values({ id: newId(), ...older, ...times })
  // Older letters about an event of next year wait for those about this one, and the rest has a lane of its own.
  const later = { ...older, letter: 'event-cancelled', topic: newId(), urgency: URGENCY.cancellation }
  await db.insert(mails).values({ id: newId(), ...later, ...times })
  // A new token in an account may be a thief's: its owner is warned ahead of all guests.
  const victim = await makeUser({ email: `${newId()}@example.org` })
  const json = { name: 'Script', scopes: ['read:user'] }
  expect((await post('/v1/profile/tokens', { session: await makeSession(victim.id), json })).status).toBe(201)
  await drain(listeners)
  expect((await takeMails(1, 'urgent')).map(({ letter }) => letter)).toEqual(['token-made'])
  const first = await takeMails(4, 'urgent')
  expect(first.map(({ letter, topic }) => [letter, topic])).toEqual(
    Array(4).fill(['event-cancelled', event.id]),
  )
  expect((await takeMails(1, 'other')).map(({ letter }) => letter)).toEqual(['rsvp-confirmed'])
  await db.delete(mails).where(eq(mails.topic, later.topic))
  // Nothing of it is left for the tests that come after this one.
  await db.delete(mails).where(eq(mails.topic, event.id))
})
