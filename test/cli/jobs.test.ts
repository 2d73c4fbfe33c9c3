import { describe, expect, test } from 'bun:test'
import { newId } from '@/core/ids'
import { runFolkmoot } from '../support/command-line'
import { ownDatabase, until } from '../support/processes'

type Work = { kind: string; id: string; what: string; error: string | null; canBeRetried: boolean }

/** A database in which one piece of each kind was given up. */
async function world() {
  const DATABASE_URL = await ownDatabase()
  const sql = new Bun.SQL(DATABASE_URL, { max: 1 })
  const ids = { events: newId(), reactions: newId(), messages: newId(), jobs: newId(), mails: newId() }
  const [ownerId, webhookId] = [newId(), newId()]
  await sql`insert into users (id, name, username) values (${ownerId}, 'Robin', 'robin')`
  await sql`insert into outbox (id, type, payload, tries, retry_at)
    values (${ids.events}, 'user.updated', '{}', 4, now() + interval '1 hour')`
  await sql`insert into outbox (id, type, payload, relayed_at) values (${ids.reactions}, 'token.created', '{}', now())`
  await sql`insert into reactions (fact_id, listener, status, attempts, last_error)
    values (${ids.reactions}, 'token-mail', 'dead', 20, 'PostgresError: 23503: a constraint was violated')`
  await sql`insert into webhooks (id, owner_id, url, event_types, scopes, secret)
    values (${webhookId}, ${ownerId}, 'https://folk.example', '{*}', '{user}', '\\x00')`
  await sql`insert into webhook_messages (id, webhook_id, event_type, body, status, attempts)
    values (${ids.messages}, ${webhookId}, 'user.updated', '{}', 'failed', 9)`
  await sql`insert into webhook_attempts (id, message_id, webhook_id, attempt, status_code, success, attempted_at)
    values (${newId()}, ${ids.messages}, ${webhookId}, 9, 503, false, now())`
  await sql`insert into jobs (id, kind, owner_id, input, status, attempts, error, next_attempt_at, created_at, finished_at)
    values (${ids.jobs}, 'pass-sheet', ${ownerId}, '{}', 'failed', 5, 'It failed on our side', now(), now(), now())`
  await sql`insert into mails (id, user_id, letter, fact, urgency, attempts, created_at, due_at, expires_at, finished_at, outcome)
    values (${ids.mails}, ${ownerId}, 'token-made', 'x', 1, 1, now(), now(), now(), now(), 'refused')`
  const folkmoot = (...words: string[]) => runFolkmoot(words, { DATABASE_URL })
  const dead = async (): Promise<Work[]> =>
    JSON.parse((await folkmoot('jobs', 'dead', '--json')).output).data.work
  return { sql, ids, folkmoot, dead }
}

describe('folkmoot jobs', () => {
  test('waits for queues that are busy', async () => {
    const { sql, folkmoot } = await world()
    expect((await folkmoot('jobs')).exitCode).toBe(0)
    const tables = await sql`select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname like '%bull%' or tablename like '%bull%'`
    expect(tables.length).toBeGreaterThan(0)
    const answer = await sql.begin(async (tx) => {
      await tx.unsafe(`lock table ${tables.map(({ name }: { name: string }) => name).join(', ')}`)
      const asking = folkmoot('jobs')
      const isWaiting = async () => (await tx`select from pg_locks where not granted`).length > 0
      await until('it waits', isWaiting)
      // Longer than a request would wait.
      await Bun.sleep(2500)
      return { asking }
    })
    expect(await answer.asking).toMatchObject({ exitCode: 0, output: expect.stringContaining('reactions') })
  }, 30_000)

  test('dead names what was given up and why; retry lets one piece be tried again, then all', async () => {
    const { sql, ids, folkmoot, dead } = await world()
    expect(
      (await dead()).map(({ kind, id, error, canBeRetried }) => [kind, id, error, canBeRetried]),
    ).toEqual([
      ['events', ids.events, null, true],
      ['reactions', ids.reactions, 'PostgresError: 23503: a constraint was violated', true],
      ['messages', ids.messages, 'it answered 503', true],
      ['jobs', ids.jobs, 'It failed on our side', true],
      ['mails', ids.mails, 'refused', false],
    ])
    const shown = await folkmoot('jobs', 'dead')
    expect(shown.output).toContain('token-mail on token.created')

    const one = await folkmoot('jobs', 'retry', ids.reactions)
    expect([one.exitCode, one.output]).toEqual([0, expect.stringContaining('To be tried again: 1 reaction.')])
    expect([
      ...(await sql`select status, attempts, next_attempt_at <= now() as due from reactions`),
    ]).toMatchObject([{ status: 'pending', attempts: 0, due: true }])
    expect(await dead()).toHaveLength(4)

    const rest = JSON.parse((await folkmoot('jobs', 'retry', 'all', '--json')).output)
    expect(rest.data).toEqual({ events: 1, reactions: 0, messages: 1, jobs: 1, isCutShort: false })
    expect((await dead()).map(({ kind }) => kind)).toEqual(['events', 'mails'])
    expect([
      ...(await sql`select status from jobs union all select status from webhook_messages`),
    ]).toMatchObject([{ status: 'queued' }, { status: 'pending' }])
    expect([...(await sql`select action, target_id, actor_id from audit_log order by at`)]).toMatchObject([
      { action: 'work.retry', target_id: ids.reactions, actor_id: null },
      { action: 'work.retry', target_id: 'all', actor_id: null },
    ])
    await sql.close()
  }, 30_000)

  test('retry changes nothing else, and refuses what is no id, no kind, or a mail', async () => {
    const { sql, ids, folkmoot, dead } = await world()
    const kind = JSON.parse((await folkmoot('jobs', 'retry', 'messages', '--json')).output)
    expect(kind.data).toEqual({ events: 0, reactions: 0, messages: 1, jobs: 0, isCutShort: false })
    expect((await dead()).map(({ kind }) => kind)).toEqual(['events', 'reactions', 'jobs', 'mails'])
    const nothing = await folkmoot('jobs', 'retry', 'messages')
    expect([nothing.exitCode, nothing.output.trim()]).toEqual([
      0,
      'Nothing was given up that could be tried again.',
    ])
    for (const [which, code] of [
      [newId(), 'not_found'],
      [ids.mails, 'not_found'],
      ['mails', 'validation_error'],
    ] as const) {
      const { errors, exitCode } = await folkmoot('jobs', 'retry', which, '--json')
      expect([exitCode, JSON.parse(errors).code]).toEqual([1, code])
    }
    await sql.close()
  }, 30_000)
})
