import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { type MailServer, readLetter, startMailServer } from '../support/mail-server'
import { ownDatabase, type ServerProcess, startServer, startWorker, until } from '../support/processes'
import { seedEvent } from '../support/seed'

const GUESTS = 50_000
const PROMOTIONS = 5000

let [server, worker, smtp, sql] = [] as unknown as [
  ServerProcess,
  ReturnType<typeof startWorker>,
  MailServer,
  postgres.Sql,
]
let [databaseUrl, environment] = ['', {} as Record<string, string>]

beforeAll(async () => {
  databaseUrl = await ownDatabase()
  sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
  smtp = await startMailServer()
  environment = {
    DATABASE_URL: databaseUrl,
    FOLKMOOT_MODE: 'test',
    LOG_LEVEL: 'warn',
    BASE_URL: 'http://folk.example',
    SMTP_URL: smtp.url,
  }
  server = await startServer(environment)
})
afterAll(async () => {
  await Promise.all([server.stop('SIGKILL'), worker?.stop('SIGKILL')])
  await smtp.stop()
  await sql.end()
})

/** Guests who were all just told that it moves, and promotions that no worker has looked at. */
async function fill(eventId: string) {
  await sql`insert into users (id, name, email)
    select gen_random_uuid(), 'Guest', gen_random_uuid() || '@there.example' from generate_series(1, ${GUESTS}::int)`
  await sql`insert into rsvps (id, event_id, user_id, status, rsvp_at, changed_at)
    select gen_random_uuid(), ${eventId}, id, 'confirmed', now() - interval '3 days', now() - interval '3 days'
    from users where email like '%@there.example'`
  await sql`insert into mails (id, user_id, letter, fact, topic, data, urgency, created_at, due_at, expires_at)
    select gen_random_uuid(), id, 'event-moved', 'moved', ${eventId},
      ${sql.json({ eventId, before: { startTime: '', endTime: null, timezone: 'UTC', place: null, online: null } })},
      -1, now(), now(), now() + interval '2 days'
    from users where email like '%@there.example'`
  await sql`insert into outbox (id, type, payload)
    select gen_random_uuid(), 'rsvp.promoted', jsonb_build_object('eventId', ${eventId}::uuid, 'userId', id)
    from users where email like '%@there.example' limit ${PROMOTIONS}`
  await sql`analyze`
}

test('fifty thousand guests are notified of a cancellation within a minute, ahead of other work', async () => {
  const { eventId, groupId, owner } = await seedEvent(databaseUrl)
  await fill(eventId)
  const path = `/v1/manage/groups/${groupId}/events/${eventId}/cancel`
  const headers = {
    authorization: `Bearer ${owner.token}`,
    'content-type': 'application/json',
    host: 'folk.example',
  }
  const cancelled = await fetch(server.url + path, { method: 'POST', headers, body: '{}' })
  expect(cancelled.status).toBe(200)
  const startedAt = performance.now()
  worker = startWorker(environment)
  const since = () => Math.round(performance.now() - startedAt)
  const written = () => sql`select from mails where letter = 'event-cancelled' limit 1`
  await until('the letters are written', async () => (await written()).length > 0, 60_000)
  const writtenAfter = since()
  await until('the first letters have gone', () => smtp.letters.length >= 20, 60_000)
  console.log(`letters written after ${writtenAfter} ms, twenty sent after ${since()} ms`)
  const first = smtp.letters.slice(0, 20).map(readLetter)
  expect(first.filter((letter) => !letter.includes('It will not take place.'))).toEqual([])
  const [left] =
    await sql`select count(*)::int as moved from mails where letter = 'event-moved' and attempts = 0`
  expect(left?.moved).toBe(0)
}, 180_000)
