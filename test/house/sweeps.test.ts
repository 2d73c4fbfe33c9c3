import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { sweeps } from '@/areas'
import { compactTallies } from '@/db/area'
import { db } from '@/db/client'
import { SLICE } from '@/db/delete-in-slices'
import { takeSnapshots } from '@/modules/recognition/leaderboards/snapshots/take'
import { runSweeps } from '../../workers/sweeps'
import { makeUser } from '../support/make'

/** A slice and a bit: all of it goes, whatever has to stay in between. */
const ROWS = SLICE + 100
/** The same of what is removed one at a time, a hundred to a slice. */
const FEW = 250

type Rows = Record<string, (userId: string) => string>

/** Begins a statement: old families of an application, for what else it inserts. */
const families = (user: string) => `with app as (
    insert into oauth_clients (client_id, name, redirect_uris, auth_method, owner_id)
    values ('app-${user}', 'x', '{https://x.example}', 'none', '${user}')
  ), granted as (
    insert into oauth_grants (id, user_id, client_id, scopes) values ('${user}', '${user}', 'app-${user}', '{read:user}')
  ), families as (
    insert into oauth_families (id, grant_id, scopes, created_at)
    select md5('${user}' || n)::uuid, '${user}', '{read:user}', now() - interval '90 days' from numbers n
  )`

const uploads = (
  user: string,
  state: string,
  numbers = 'numbers',
) => `insert into uploads (id, key, owner_id, maker, category, filename,
    content_type, declared_size, created_at, state, reason, changed_at, expires_at)
  select uuidv7(), uuidv7()::text, '${user}', 'person', 'media', 'x', 'image/png', 1, now(), ${state},
    now() - interval '30 minutes' from ${numbers} n`

/** Rows that have served their time, for each sweep. `n` counts them. */
const OLD: Rows = {
  'idempotency keys': (
    user,
  ) => `insert into idempotency_keys (id, user_id, key_hash, request_hash, claimed_until, created_at)
    select uuidv7(), '${user}', int4send(n), '', now(), now() - interval '2 days' from numbers n`,
  'domain events': () => `insert into outbox (id, type, payload, created_at, relayed_at)
    select uuidv7(), 'token.revoked', '{}', now() - interval '9 days', now() - interval '8 days' from numbers n`,
  'domain events of people who are gone': () => `insert into outbox (id, type, payload, relayed_at)
    select uuidv7(), 'upload.deleted', jsonb_build_object('userId', uuidv7()), now() from numbers n`,
  sequences: () => `insert into object_sequences (object, last)
    select n, extract(epoch from now() - interval '25 hours') * 1000000 from numbers n`,
  sessions: (user) => `insert into sessions (id, user_id, hash, expires_at)
    select uuidv7(), '${user}', sha256(('s' || n || '${user}')::bytea), now() - interval '1 minute' from numbers n`,
  'personal access tokens': (
    user,
  ) => `insert into personal_tokens (id, user_id, name, hash, prefix, scopes, expires_at)
    select uuidv7(), '${user}', 'x', sha256(('p' || n || '${user}')::bytea), 'x', '{read:user}', now() - interval '31 days'
    from numbers n`,
  'sign-in mails': () => `insert into sign_in_mails (id, email, token_hash, code_hash, return_to, expires_at)
    select uuidv7(), 'a@example.org', sha256(('m' || n)::bytea), '', '/', now() - interval '1 minute' from numbers n`,
  'sign-in failures': () => `insert into sign_in_failures (mailbox, failures, ends_at)
    select sha256(('f' || n)::bytea), 1, now() - interval '1 minute' from numbers n`,
  'address changes': (user) => `insert into address_changes
    (id, user_id, new_email, confirm_hash, undo_hash, created_at, expires_at, undo_until, undone_at)
    select uuidv7(), '${user}', 'x@example.org', sha256(('c' || n)::bytea), sha256(('u' || n)::bytea), now(), now(),
      now() - interval '1 minute', now() from numbers n`,
  'login states': () => `insert into sign_in_errands (id, return_to, expires_at)
    select uuidv7(), '/', now() - interval '1 minute' from numbers n`,
  'finished jobs': (
    user,
  ) => `insert into jobs (id, kind, owner_id, input, status, next_attempt_at, created_at, finished_at)
    select uuidv7(), 'x', '${user}', '{}', 'done', now(), now(), now() - interval '2 days' from numbers n`,
  'finished mails': (user) => `insert into mails
    (id, user_id, letter, fact, urgency, created_at, due_at, expires_at, finished_at, outcome)
    select uuidv7(), '${user}', 'x', n, 2, now(), now(), now(), now() - interval '31 days', 'sent' from numbers n`,
  'mail items': (user) => `insert into mail_items (user_id, letter, item, at)
    select '${user}', 'x', n, now() - interval '31 days' from numbers n`,
  'refusing mailboxes': () => `insert into refusing_mailboxes (mailbox, at)
    select sha256(('r' || n)::bytea), now() - interval '31 days' from numbers n`,
  'kept mails': () => `insert into kept_mails (id, sealed, at)
    select uuidv7(), '', now() - interval '2 days' from numbers n`,
  heartbeats: () =>
    `insert into heartbeats (worker, at) select 'w' || n, now() - interval '2 days' from numbers n`,
  'score changes': (user) => `insert into score_changes (user_id, at, change, xp)
    select '${user}', now() - interval '41 days', 1, n from numbers n`,
  'access tokens': (user) => `${families(user)}
    insert into oauth_access_tokens (id, family_id, hash, scopes, expires_at)
    select uuidv7(), md5('${user}' || n)::uuid, sha256(('a' || n)::bytea), '{read:user}', now() - interval '1 minute'
    from numbers n`,
  'refresh tokens': (user) => `${families(user)}
    insert into oauth_refresh_tokens (family_id, generation, hash, expires_at)
    select md5('${user}' || n)::uuid, 0, sha256(('r' || n)::bytea), now() - interval '1 minute' from numbers n`,
  'authorization codes': (user) => `${families(user)}
    insert into oauth_codes (hash, family_id, redirect_uri, challenge, expires_at)
    select sha256(('c' || n)::bytea), md5('${user}' || n)::uuid, 'x', 'x', now() - interval '2 days' from numbers n`,
  'token families': (user) => `${families(user)} select 1`,
  'webhook messages': (user) => `with hook as (
      insert into webhooks (id, owner_id, url, event_types, scopes, secret)
      values ('${user}', '${user}', 'https://x.example', '{*}', '{}', '')
    )
    insert into webhook_messages (id, webhook_id, fact_id, event_type, body, status, created_at)
    select uuidv7(), '${user}', uuidv7(), 'x', '{}', 'succeeded', now() - interval '31 days' from numbers n`,
  'webhook messages about people who are gone': (user) => `with hook as (
      insert into webhooks (id, owner_id, url, event_types, scopes, secret)
      values ('${user}', '${user}', 'https://x.example', '{*}', '{}', '')
    )
    insert into webhook_messages (id, webhook_id, fact_id, event_type, body, status)
    select uuidv7(), '${user}', uuidv7(), 'upload.deleted', json_build_object('data', json_build_object('userId', uuidv7())),
      'succeeded' from numbers n`,
  'past webhook rules': (user) => `with hook as (
      insert into webhooks (id, owner_id, url, event_types, scopes, secret)
      values ('${user}', '${user}', 'https://x.example', '{*}', '{}', '')
    )
    insert into webhook_past_rules (webhook_id, event_types, is_active, changed_at)
    select '${user}', '{*}', true, now() - interval '100 days' from numbers n`,
  'feed subscriptions':
    () => `insert into feed_subscriptions (id, key, topic, callback, callback_host, sealed, expires_at)
    select uuidv7(), sha256(('s' || n)::bytea), '/feeds/events.rss', 'https://x.example', 'x.example', '', now() - interval '1 minute'
    from numbers n`,
  'feed subscription requests':
    () => `insert into feed_subscription_requests (id, mode, key, asker, topic, callback,
      callback_host, sealed, lease_seconds, due_at, created_at)
    select uuidv7(), 'subscribe', sha256(('r' || n)::bytea), '', '/feeds/events.rss', 'https://x.example', 'x.example', '', 1,
      now(), now() - interval '2 hours' from numbers n`,
  'unused clients': () => `insert into oauth_clients (client_id, name, redirect_uris, auth_method, created_at)
    select 'swept-' || n, 'x', '{https://x.example}', 'none', now() - interval '31 days' from numbers n`,
  // These delete no rows of others: they walk in portions of their own.
  'follower counts': () => 'select 1',
  'unsettled badges': () => 'select 1',
  'deleted groups': () => 'select 1',
  'free seats': () => 'select 1',
  'unfinished boards': (user) => `insert into board_drafts (run, below_zero, reached_at, user_id)
    select uuidv7(interval '-2 days'), n, now(), '${user}' from numbers n`,
  'uploads that were not sent': (user) => uploads(user, `'requested', null, now() - interval '30 minutes'`),
  'refused uploads': (user) => uploads(user, `'refused', 'x', now() - interval '2 days'`),
  'unused uploads': (
    user,
  ) => `insert into uploads (id, key, owner_id, maker, category, filename, content_type,
      declared_size, size, sha256, file, created_at, state, unused_since, changed_at, expires_at)
    select uuidv7(), uuidv7()::text, '${user}', 'person', 'avatar', 'x', 'image/png', 1, 1, 'x', uuidv7(), now(),
      'ready', now() - interval '25 hours', now(), now() from numbers n`,
  'removed uploads': (user) => uploads(user, `'removed', null, now()`, 'few'),
  'connections of strangers': (user) => `insert into connections (id, owner_id, stranger_hash, created_at)
    select uuidv7(), '${user}', sha256(('x' || n)::bytea), now() - interval '91 days' from numbers n`,
  'versions of feeds': () => `insert into feed_versions (key, etag, read_on)
    select sha256(('v' || n)::bytea), 'x', current_date - 31 from numbers n`,
  'guests without an account':
    () => `with place as (insert into groups (id, urlname, name) values (uuidv7(), uuidv7()::text, 'x') returning id),
    past as (insert into events (id, group_id, title, start_time, over_at, timezone)
      select uuidv7(), id, 'x', now() - interval '91 days 3 hours', now() - interval '91 days', 'UTC' from place returning id)
    insert into guests (id, event_id, name, created_at) select uuidv7(), past.id, 'x', now() - interval '91 days' from numbers n, past`,
  'print sheets': () => `insert into pass_sheets (id, kind, paper, start_at, sort, created_at, expires_at)
    select uuidv7(), 'badges', 'a4', 1, 'name', now(), now() from few n`,
  'data exports': () => `insert into data_exports (id, created_at, expires_at)
    select uuidv7(), now(), now() from few n`,
  // Files, not rows.
  'data exports of nobody': () => 'select 1',
  'print sheets of nobody': () => 'select 1',
  'unchecked files of nobody': () => 'select 1',
  'scratch files': () => 'select 1',
}

const TABLES = [
  'idempotency_keys',
  'outbox',
  'sessions',
  'personal_tokens',
  'sign_in_mails',
  'sign_in_failures',
  'sign_in_errands',
  'jobs',
  'heartbeats',
  'score_changes',
  'oauth_codes',
  'oauth_access_tokens',
  'oauth_refresh_tokens',
  'oauth_families',
  'oauth_clients',
  'webhook_messages',
  'webhook_past_rules',
  'feed_subscriptions',
  'feed_subscription_requests',
  'board_snapshots',
  'uploads',
  'feed_versions',
  'guests',
  'pass_sheets',
  'data_exports',
  'connections',
]

/** The database itself refuses a statement that removes more than a slice. */
beforeAll(async () => {
  await db.execute(sql`create function refuse_to_lose_many() returns trigger language plpgsql as $$
    begin
      if (select count(*) from gone) > ${sql.raw(String(SLICE))} then raise 'more than a slice of %', tg_table_name; end if;
      return null;
    end $$`)
  const tables = await db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  )
  for (const { name: table } of tables)
    await db.execute(sql`create trigger no_more_than_a_slice after delete on ${sql.identifier(table)}
      referencing old table as gone for each statement execute function refuse_to_lose_many()`)
})
afterAll(async () => {
  await db.execute(sql`drop function refuse_to_lose_many() cascade`)
})

const fill = (statement: string) =>
  db.execute(
    sql.raw(
      statement
        .replaceAll('from numbers n', `from generate_series(1, ${ROWS}) n`)
        .replaceAll('from few n', `from generate_series(1, ${FEW}) n`),
    ),
  )

const count = async (table: string) =>
  Number((await db.execute(sql`select count(*) from ${sql.identifier(table)}`))[0]?.count)

test('every sweep is tested here', () => {
  expect(Object.keys(OLD).sort()).toEqual(sweeps.map(({ name }) => name).sort())
})

test('sweeps delete exactly the expired rows, in slices', async () => {
  await runSweeps()
  const before = Object.fromEntries(await Promise.all(TABLES.map(async (name) => [name, await count(name)])))
  for (const rows of Object.values(OLD)) {
    const { id } = await makeUser()
    await fill(rows(id))
  }
  await runSweeps()
  const after = Object.fromEntries(await Promise.all(TABLES.map(async (name) => [name, await count(name)])))
  // Four applications have an owner and stay; that the others went, and unused files, is an event about each.
  expect(after).toEqual({
    ...before,
    oauth_clients: before.oauth_clients + 4,
    outbox: before.outbox + 2 * ROWS,
  })
})

test('old leaderboard days are deleted in slices', async () => {
  await fill(`insert into board_snapshots (user_id, day, rank, xp)
    select uuidv7(), '2020-01-01', n, 1 from numbers n`)
  await db.execute(sql`insert into board_days (day, taken_at) values ('2020-01-01', now())`)
  await takeSnapshots()
  const [left] = await db.execute<{ rows: number; days: number }>(sql`select
    (select count(*) from board_snapshots where day = '2020-01-01')::int as rows,
    (select count(*) from board_days where day = '2020-01-01')::int as days`)
  expect(left).toEqual({ rows: 0, days: 0 })
})

test('tallies are merged in slices', async () => {
  const sum = async () =>
    (await db.execute(sql`select sum(people)::int as people, count(*)::int as rows from people_tally`))[0]
  await compactTallies(db, 100)
  const before = await sum()
  await fill('insert into people_tally (people) select 1 from numbers n')
  await fill('insert into people_tally (people) select -1 from numbers n where n % 2 = 0')
  await compactTallies(db, 100)
  expect(await sum()).toEqual({ people: Number(before?.people) + ROWS / 2, rows: 1 })
  await fill('insert into people_tally (people) select -1 from numbers n where n % 2 = 1')
  await compactTallies(db, 100)
  expect(await sum()).toEqual({ ...before })
})

test('rows that stay do not block expired rows behind them', async () => {
  const { id } = await makeUser()
  // Domain events that somebody still has to react to come first on the way, more of them than a slice holds.
  await fill(`with pending as (
      insert into outbox (id, type, payload, created_at, relayed_at)
      select md5('${id}' || n)::uuid, 'token.revoked', '{}', now() - interval '30 days', now() - interval '30 days' from numbers n
    ) insert into reactions (fact_id, listener) select md5('${id}' || n)::uuid, 'nobody' from numbers n`)
  const before = await count('outbox')
  await fill(OLD['domain events']?.(id) as string)
  await runSweeps()
  expect(await count('outbox')).toBe(before)
  await db.execute(sql`update reactions set status = 'done' where listener = 'nobody'`)
  await runSweeps()
  expect(await count('outbox')).toBe(before - ROWS)
})
