import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import postgres from 'postgres'
import { now } from '@/core/clock'
import { newId } from '@/core/ids'
import { BY_INDEX } from '@/db/pool/connection'
import { claiming, recordingOutcomes } from '@/modules/developers/webhooks/dispatch/queries'
import { insertingMessages } from '@/modules/developers/webhooks/fan-out/queries'
import { takingDueReactions, takingEvents } from '@/outbox/queries'
import { cloneDatabase } from '../../../support/template'

/*
 * A connection keeps the plan of a statement. One that is made when a queue is empty, or full of what is done, must
 * serve just as well when a hundred thousand come in. What the planner knows is written here, in a database of its own.
 */

const at = now()
const claim = claiming({
  at,
  leaseOwner: newId(),
  leaseUntil: at,
  limit: 100,
  failingLimit: 10,
  each: 10,
  failingAfter: 5,
  claimed: {},
})
const settle = recordingOutcomes(newId(), [])

let client: postgres.Sql

beforeAll(async () => {
  const url = await cloneDatabase(process.env.TEST_DATABASE_URL as string)
  client = postgres(url, { max: 1, onnotice: () => {}, connection: BY_INDEX })
  // A small dataset: an index is as good as any other only where there is nothing.
  await client`insert into groups (id, urlname, name)
    select gen_random_uuid(), 'group-' || n, 'Group' from generate_series(1, 100) n`
  await client`insert into events (id, group_id, title, start_time, end_time, over_at, timezone, status)
    select gen_random_uuid(), id, 'Event', at, at + interval '1 hour', at + interval '1 hour', 'UTC', 'published'
    from groups, generate_series(now(), now() + interval '9 days', interval '1 day') at`
})

afterAll(() => client.end())

async function fill(webhooks: number, pending: number, done: number) {
  await client.unsafe('truncate webhooks, webhook_messages, users, outbox, reactions cascade')
  await client`insert into users (id, name, username) values (${newId()}, 'Ada', 'ada')`
  await client`insert into webhooks (id, owner_id, url, event_types, scopes, secret)
    select gen_random_uuid(), (select id from users), 'https://example.org', array['*'], array['read:user'], ''
    from generate_series(1, ${webhooks})`
  // What is done was once due, and the index remembers it until somebody cleans up.
  await client`insert into webhook_messages (id, webhook_id, event_type, body, next_attempt_at)
    select gen_random_uuid(), id, 'user.updated', '{}', now() + n * interval '1 second'
    from webhooks, generate_series(1, ${pending + done}) n`
  await client`update webhook_messages set status = 'succeeded', next_attempt_at = null
    where next_attempt_at > now() + ${pending}::int * interval '1 second'`
  await client`insert into outbox (id, type, payload, relayed_at)
    select gen_random_uuid(), 'user.updated', '{}', case when n > ${pending} then now() end
    from generate_series(1, ${pending + done}) n`
  await client`insert into reactions (fact_id, listener, status, next_attempt_at)
    select id, 'somebody', case when relayed_at is null then 'pending' else 'done' end, now() from outbox`
  await client`analyze`
}

const textOf = (statement: SQL) => new PgDialect().sqlToQuery(statement).sql

async function planOf(statement: string): Promise<string[]> {
  const rows = await client.unsafe(`explain (generic_plan, costs off) ${statement}`)
  return rows.map((row) => String(row['QUERY PLAN']).trim())
}

/** Each scan of a table, with the condition that it goes by. */
const scansOf = (plan: string[], table: string) =>
  plan.flatMap((line, i) => {
    if (!(line.includes('Scan') && line.includes(` on ${table}`))) return []
    const condition = plan[i + 1]?.startsWith('Index Cond') ? plan[i + 1] : ''
    return [`${line} ${condition}`.trim()]
  })

describe.each([
  ['an empty database', 0, 0, 0],
  ['one webhook with a long history', 1, 0, 3000],
  ['one webhook with a short queue', 1, 3, 3000],
  ['one webhook with a long queue', 1, 3000, 100],
  ['many webhooks with long histories', 40, 0, 200],
  ['many webhooks with long queues', 40, 200, 200],
  ['a webhook that has heard one thing', 1, 0, 1],
])('planned for %s', (_, webhooks, pending, done) => {
  beforeAll(() => fill(webhooks, pending, done))

  test('messages are taken by what is due for each receiver', async () => {
    const found = scansOf(await planOf(textOf(claim)), 'webhook_messages')
    expect(found).toHaveLength(5)
    for (const scan of found) expect(scan).toMatch(/Scan using webhook_messages_(due|pkey) /)
    // Beginning at the first receiver of all is the one walk without a place to start from.
    expect(found.filter((scan) => !/Index Cond: \(\(*(webhook_id [=>]|id =) /.test(scan))).toHaveLength(1)
  })

  test('who hears is looked up domain event by domain event', async () => {
    const plan = await planOf(textOf(insertingMessages([], at)))
    const tables = ['outbox', 'group_members', 'events', 'groups', 'webhooks', 'users']
    const found = tables.flatMap((table) => scansOf(plan, table))
    for (const table of ['outbox', 'events', 'groups', 'users'])
      expect(scansOf(plan, table).join()).toContain(`${table}_pkey`)
    const walks = found.filter((scan) => !scan.includes('Index Cond'))
    // Administrators are few and have an index of their own; that of types of events only gives a map.
    expect(walks.map((scan) => /Scan (using|on) (\w+)/.exec(scan)?.[2]).toSorted()).toEqual([
      'users_administrators',
      'webhooks',
    ])
  })

  test('messages are settled by id', async () => {
    const found = scansOf(await planOf(textOf(settle)), 'webhook_messages')
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(/Scan using webhook_messages_pkey .*\(\(*id = /)
  })

  test('domain events are taken from those that nobody has taken up', async () => {
    const plan = await planOf(textOf(takingEvents({ at, limit: 10 })))
    const found = scansOf(plan, 'outbox')
    expect(found).toHaveLength(2)
    expect(found.join()).toContain('Scan using outbox_pending ')
    expect(found.join()).toMatch(/outbox_pkey on outbox Index Cond: \(id = ANY/)
    expect(plan.join()).not.toContain('Sort')
  })

  test('reactions are taken from those that are due', async () => {
    const found = scansOf(await planOf(textOf(takingDueReactions(at, at, 10))), 'reactions')
    expect(found).toHaveLength(2)
    expect(found.join()).toMatch(
      /using reactions_due on reactions reactions_1 Index Cond: \(next_attempt_at <= /,
    )
    expect(found.join()).toMatch(/using reactions_fact_id_listener_pk on reactions Index Cond: \(+fact_id = /)
  })
})
