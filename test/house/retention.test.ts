import { afterEach, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { sweeps } from '@/areas'
import { advanceClock, DAY_MS, now } from '@/core/clock'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { HELD } from '@/modules/account/privacy/held/all'
import { SNAPSHOTS_MS, takeSnapshots } from '@/modules/recognition/leaderboards/snapshots/take'
import { makeUser } from '../support/make'

let advanced = 0
const later = (ms: number) => {
  advanced += ms
  advanceClock(ms)
}
afterEach(() => later(-advanced))

/** A new row whose age begins at a moment; its table and its key tell whether it is still there. */
type Made = { table: string; key: string; insert: SQL[] }
type Make = (id: string, userId: string, at: SQL) => Made

const hash = (id: string) => sql`sha256(${id}::bytea)`

const upload =
  (state: SQL, columns: SQL, values: SQL): Make =>
  (id, user) => ({
    table: 'uploads',
    key: 'id',
    insert: [
      sql`insert into uploads (id, key, owner_id, maker, category, filename, content_type, declared_size, created_at, state, ${columns})
      values (${id}, ${id}, ${user}, 'person', 'avatar', 'x', 'image/png', 1, now(), ${state}, ${values})`,
    ],
  })

const webhook = (id: string, user: string) => sql`
  insert into webhooks (id, owner_id, url, event_types, scopes, secret)
  values (${id}, ${user}, 'https://x.example', '{*}', '{}', '')`

const family = (id: string, user: string, createdAt: SQL) => [
  sql`insert into oauth_clients (client_id, name, redirect_uris, auth_method, owner_id)
    values (${id}, 'x', '{https://x.example}', 'none', ${user})`,
  sql`insert into oauth_grants (id, user_id, client_id, scopes) values (${id}, ${user}, ${id}, '{read:user}')`,
  sql`insert into oauth_families (id, grant_id, scopes, created_at) values (${id}, ${id}, '{read:user}', ${createdAt})`,
]

const NOW = sql`now()`

/** For each sweep that a promise of the registry rests on. */
const ROWS: Record<string, Make> = {
  'finished mails': (id, user, at) => ({
    table: 'mails',
    key: 'id',
    insert: [
      sql`insert into mails (id, user_id, letter, fact, urgency, created_at, due_at, expires_at, finished_at, outcome)
        values (${id}, ${user}, 'x', ${id}, 2, now(), now(), now(), ${at}, 'sent')`,
    ],
  }),
  'mail items': (id, user, at) => ({
    table: 'mail_items',
    key: 'item',
    insert: [sql`insert into mail_items (user_id, letter, item, at) values (${user}, 'x', ${id}, ${at})`],
  }),
  'refusing mailboxes': (id, _, at) => ({
    table: 'refusing_mailboxes',
    key: 'mailbox',
    insert: [sql`insert into refusing_mailboxes (mailbox, at) values (${hash(id)}, ${at})`],
  }),
  'kept mails': (id, _, at) => ({
    table: 'kept_mails',
    key: 'id',
    insert: [sql`insert into kept_mails (id, sealed, at) values (${id}, '', ${at})`],
  }),
  'address changes': (id, user, at) => ({
    table: 'address_changes',
    key: 'id',
    insert: [
      sql`insert into address_changes (id, user_id, new_email, confirm_hash, undo_hash, created_at, expires_at, undo_until)
        values (${id}, ${user}, 'x@example.org', ${hash(`c${id}`)}, ${hash(`u${id}`)}, now(), ${at}, ${at})`,
    ],
  }),
  'data exports': (id, user, at) => ({
    table: 'data_exports',
    key: 'id',
    insert: [
      sql`insert into data_exports (id, user_id, created_at, expires_at)
        values (${id}, ${user}, ${at}, ${at} + interval '1 day')`,
    ],
  }),
  'finished jobs': (id, user, at) => ({
    table: 'jobs',
    key: 'id',
    insert: [
      sql`insert into jobs (id, kind, owner_id, input, status, next_attempt_at, created_at, finished_at)
        values (${id}, 'x', ${user}, '{}', 'done', now(), now(), ${at})`,
    ],
  }),
  sessions: (id, user, at) => ({
    table: 'sessions',
    key: 'id',
    insert: [
      sql`insert into sessions (id, user_id, hash, expires_at) values (${id}, ${user}, ${hash(id)}, ${at})`,
    ],
  }),
  'personal access tokens': (id, user, at) => ({
    table: 'personal_tokens',
    key: 'id',
    insert: [
      sql`insert into personal_tokens (id, user_id, name, hash, prefix, scopes, expires_at)
        values (${id}, ${user}, 'x', ${hash(id)}, 'x', '{read:user}', ${at})`,
    ],
  }),
  'sign-in mails': (id, _, at) => ({
    table: 'sign_in_mails',
    key: 'id',
    insert: [
      sql`insert into sign_in_mails (id, email, token_hash, code_hash, return_to, expires_at)
        values (${id}, 'x@example.org', ${hash(id)}, '', '/', ${at})`,
    ],
  }),
  'sign-in failures': (id, _, at) => ({
    table: 'sign_in_failures',
    key: 'mailbox',
    insert: [sql`insert into sign_in_failures (mailbox, failures, ends_at) values (${hash(id)}, 1, ${at})`],
  }),
  'feed subscriptions': (id, _, at) => ({
    table: 'feed_subscriptions',
    key: 'id',
    insert: [
      sql`insert into feed_subscriptions (id, key, topic, callback, callback_host, sealed, expires_at)
        values (${id}, ${hash(id)}, '/feeds/events.rss', 'https://x.example', 'x.example', '', ${at})`,
    ],
  }),
  'feed subscription requests': (id, _, at) => ({
    table: 'feed_subscription_requests',
    key: 'id',
    insert: [
      sql`insert into feed_subscription_requests (id, mode, key, asker, topic, callback, callback_host, sealed,
          lease_seconds, due_at, created_at)
        values (${id}, 'subscribe', ${hash(id)}, '', '/feeds/events.rss', 'https://x.example', 'x.example', '', 1, now(), ${at})`,
    ],
  }),
  'idempotency keys': (id, user, at) => ({
    table: 'idempotency_keys',
    key: 'id',
    insert: [
      sql`insert into idempotency_keys (id, user_id, key_hash, request_hash, claimed_until, created_at)
        values (${id}, ${user}, ${hash(id)}, '', now(), ${at})`,
    ],
  }),
  'token families': (id, user, at) => ({ table: 'oauth_families', key: 'id', insert: family(id, user, at) }),
  'access tokens': (id, user, at) => ({
    table: 'oauth_access_tokens',
    key: 'id',
    insert: [
      ...family(id, user, NOW),
      sql`insert into oauth_access_tokens (id, family_id, hash, scopes, expires_at)
        values (${id}, ${id}, ${hash(id)}, '{read:user}', ${at})`,
    ],
  }),
  'refresh tokens': (id, user, at) => ({
    table: 'oauth_refresh_tokens',
    key: 'family_id',
    insert: [
      ...family(id, user, NOW),
      sql`insert into oauth_refresh_tokens (family_id, generation, hash, expires_at) values (${id}, 0, ${hash(id)}, ${at})`,
    ],
  }),
  'authorization codes': (id, user, at) => ({
    table: 'oauth_codes',
    key: 'family_id',
    insert: [
      ...family(id, user, NOW),
      sql`insert into oauth_codes (hash, family_id, redirect_uri, challenge, expires_at)
        values (${hash(id)}, ${id}, 'x', 'x', ${at})`,
    ],
  }),
  'uploads that were not sent': (id, user, at) =>
    upload(sql`'requested'`, sql`expires_at, changed_at`, sql`${at}, ${at}`)(id, user, at),
  'refused uploads': (id, user, at) =>
    upload(sql`'refused'`, sql`reason, expires_at, changed_at`, sql`'x', ${at}, ${at}`)(id, user, at),
  'unused uploads': (id, user, at) =>
    upload(
      sql`'ready'`,
      sql`unused_since, size, sha256, file, expires_at, changed_at`,
      sql`${at}, 1, 'x', ${id}, ${at}, ${at}`,
    )(id, user, at),
  'score changes': (_, user, at) => ({
    table: 'score_changes',
    key: 'user_id',
    insert: [sql`insert into score_changes (user_id, at, change, xp) values (${user}, ${at}, 1, 1)`],
  }),
  'unfinished boards': (_, user, at) => ({
    table: 'board_drafts',
    key: 'user_id',
    insert: [
      sql`insert into board_drafts (run, below_zero, reached_at, user_id)
        values (uuidv7(${at}::timestamptz - now()), -1, now(), ${user})`,
    ],
  }),
  'webhook messages': (id, user, at) => ({
    table: 'webhook_messages',
    key: 'id',
    insert: [
      webhook(id, user),
      sql`insert into webhook_messages (id, webhook_id, fact_id, event_type, body, status, created_at)
        values (${id}, ${id}, ${id}, 'x', '{}', 'succeeded', ${at})`,
    ],
  }),
  'guests without an account': (id, _, at) => ({
    table: 'guests',
    key: 'id',
    insert: [
      sql`insert into groups (id, urlname, name) values (${id}, ${id}, 'x')`,
      sql`insert into events (id, group_id, title, start_time, over_at, timezone) values (${id}, ${id}, 'x', ${at} - interval '3 hours', ${at}, 'UTC')`,
      sql`insert into guests (id, event_id, name, created_at) values (${id}, ${id}, 'x', ${at})`,
    ],
  }),
  'print sheets': (id, _, at) => ({
    table: 'pass_sheets',
    key: 'id',
    insert: [
      sql`insert into groups (id, urlname, name) values (${id}, ${id}, 'x')`,
      sql`insert into events (id, group_id, title, start_time, over_at, timezone) values (${id}, ${id}, 'x', now(), now() + interval '3 hours', 'UTC')`,
      sql`insert into pass_sheets (id, event_id, kind, paper, start_at, sort, file, size, pages, created_at, expires_at)
        values (${id}, ${id}, 'badges', 'a4', 1, 'name', ${id}, 1, 1, ${at}, ${at} + interval '7 days')`,
    ],
  }),
  'domain events': (id, _, at) => ({
    table: 'outbox',
    key: 'id',
    insert: [
      sql`insert into outbox (id, type, payload, created_at, relayed_at) values (${id}, 'token.revoked', '{}', ${at}, ${at})`,
    ],
  }),
  'connections of strangers': (id, user, at) => ({
    table: 'connections',
    key: 'id',
    insert: [
      sql`insert into connections (id, owner_id, stranger_hash, created_at) values (${id}, ${user}, ${hash(id)}, ${at})`,
    ],
  }),
}

/** These have no age: a file that was removed, a mark, and a rule go as soon as they have been dealt with. */
const AT_ONCE = ['removed uploads', 'follower counts', 'past webhook rules']

const named = [
  ...new Set(
    HELD.flatMap(({ retention }) =>
      typeof retention === 'object' && 'sweeps' in retention ? [...retention.sweeps] : [],
    ),
  ),
]

test('every published retention period is tested here', () => {
  expect([...Object.keys(ROWS), ...AT_ONCE].sort()).toEqual(named.sort())
})

const MINUTE_MS = 60_000

for (const name of Object.keys(ROWS))
  test(`${name} are kept for their retention period and no longer`, async () => {
    const { keeps, run } = sweeps.find((sweep) => sweep.name === name) as (typeof sweeps)[number]
    const [id, { id: userId }] = [newId(), await makeUser()]
    const at = sql`${new Date(now().getTime() + 2 * MINUTE_MS).toISOString()}::timestamptz`
    const { table, key, insert } = (ROWS[name] as Make)(id, userId, at)
    for (const statement of insert) await db.execute(statement)
    const value =
      { mailbox: hash(id), user_id: sql`${userId}::uuid`, item: sql`${id}` }[key] ?? sql`${id}::uuid`
    const state = sql.raw(table === 'uploads' ? "and state <> 'removed'" : '')
    const isThere = async () =>
      (
        await db.execute(sql`select 1 from ${sql.identifier(table)}
          where ${sql.identifier(key)} = ${value} ${state}`)
      ).length > 0
    // A minute before its time, and a minute after.
    later((keeps?.ms ?? 0) + MINUTE_MS)
    await run()
    expect([name, await isThere()]).toEqual([name, true])
    later(2 * MINUTE_MS)
    await run()
    expect([name, await isThere()]).toEqual([name, false])
  })

test('leaderboard ranks are kept for their retention period and no longer', async () => {
  const { id } = await makeUser()
  const day = (ms: number) => new Date(now().getTime() - ms).toISOString().slice(0, 10)
  for (const ms of [SNAPSHOTS_MS, SNAPSHOTS_MS + DAY_MS]) {
    await db.execute(
      sql`insert into board_days (day, taken_at) values (${day(ms)}, now()) on conflict do nothing`,
    )
    await db.execute(
      sql`insert into board_snapshots (user_id, day, rank, xp) values (${id}, ${day(ms)}, 1, 1) on conflict do nothing`,
    )
  }
  await takeSnapshots()
  const left = await db.execute<{ day: string }>(
    sql`select day::text as day from board_snapshots where user_id = ${id}`,
  )
  expect(left.map((row) => row.day)).toEqual([day(SNAPSHOTS_MS)])
})
