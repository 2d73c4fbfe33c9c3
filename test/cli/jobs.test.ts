import { beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { deadJobs, retryJobs } from '@/cli/jobs'
import { newId } from '@/core/ids'
import { db } from '@/db/client'

type Work = { kind: string; id: string; what: string; error: string | null; canBeRetried: boolean }

const dead = async (): Promise<Work[]> =>
  JSON.parse((await deadJobs.run([], { asJson: true })).text).data.work

const retry = async (which: string) => JSON.parse((await retryJobs.run([which], { asJson: true })).text).data

/** One dead piece of work of each kind, and no other. */
async function makeDeadWork() {
  const ids = { events: newId(), reactions: newId(), messages: newId(), jobs: newId(), mails: newId() }
  const [ownerId, webhookId] = [newId(), newId()]
  await db.execute(sql`truncate outbox, webhooks, jobs, mails cascade`)
  await db.execute(sql`insert into users (id, name) values (${ownerId}, 'Robin')`)
  await db.execute(sql`insert into outbox (id, type, payload, tries, retry_at)
    values (${ids.events}, 'user.updated', '{}', 4, now() + interval '1 hour')`)
  await db.execute(sql`insert into outbox (id, type, payload, relayed_at)
    values (${ids.reactions}, 'token.created', '{}', now())`)
  await db.execute(sql`insert into reactions (fact_id, listener, status, attempts, last_error)
    values (${ids.reactions}, 'token-mail', 'dead', 20, 'PostgresError: 23503: a constraint was violated')`)
  await db.execute(sql`insert into webhooks (id, owner_id, url, event_types, scopes, secret)
    values (${webhookId}, ${ownerId}, 'https://folk.example', '{*}', '{user}', '\\x00')`)
  await db.execute(sql`insert into webhook_messages (id, webhook_id, event_type, body, status, attempts)
    values (${ids.messages}, ${webhookId}, 'user.updated', '{}', 'failed', 9)`)
  await db.execute(sql`insert into webhook_attempts (id, message_id, webhook_id, attempt, status_code, success, attempted_at)
    values (${newId()}, ${ids.messages}, ${webhookId}, 9, 503, false, now())`)
  await db.execute(sql`insert into jobs (id, kind, owner_id, input, status, attempts, error, next_attempt_at, created_at, finished_at)
    values (${ids.jobs}, 'pass-sheet', ${ownerId}, '{}', 'failed', 5, 'It failed on our side', now(), now(), now())`)
  await db.execute(sql`insert into mails (id, user_id, letter, fact, urgency, attempts, created_at, due_at, expires_at, finished_at, outcome)
    values (${ids.mails}, ${ownerId}, 'token-made', 'x', 1, 1, now(), now(), now(), now(), 'refused')`)
  return ids
}

describe('folkmoot jobs', () => {
  let ids: Awaited<ReturnType<typeof makeDeadWork>>
  beforeEach(async () => {
    ids = await makeDeadWork()
  })

  test('dead lists failed work with its error; retry retries one item, then all', async () => {
    const startedAt = new Date()
    expect(
      (await dead()).map(({ kind, id, error, canBeRetried }) => [kind, id, error, canBeRetried]),
    ).toEqual([
      ['events', ids.events, null, true],
      ['reactions', ids.reactions, 'PostgresError: 23503: a constraint was violated', true],
      ['messages', ids.messages, 'it answered 503', true],
      ['jobs', ids.jobs, 'It failed on our side', true],
      ['mails', ids.mails, 'refused', false],
    ])
    expect((await deadJobs.run([], { asJson: false })).text).toContain('token-mail on token.created')

    const one = await retryJobs.run([ids.reactions], { asJson: false })
    expect(one).toEqual({ isWell: true, text: expect.stringContaining('Retrying: 1 reaction.') })
    expect([
      ...(await db.execute(sql`select status, attempts, next_attempt_at <= now() as due from reactions`)),
    ]).toMatchObject([{ status: 'pending', attempts: 0, due: true }])
    expect(await dead()).toHaveLength(4)

    expect(await retry('all')).toEqual({ events: 1, reactions: 0, messages: 1, jobs: 1, isCutShort: false })
    expect((await dead()).map(({ kind }) => kind)).toEqual(['events', 'mails'])
    expect([
      ...(await db.execute(sql`select status from jobs union all select status from webhook_messages`)),
    ]).toMatchObject([{ status: 'queued' }, { status: 'pending' }])
    expect([
      ...(await db.execute(sql`select action, target_id, actor_id from audit_log
        where at >= ${startedAt.toISOString()} order by at`)),
    ]).toMatchObject([
      { action: 'work.retry', target_id: ids.reactions, actor_id: null },
      { action: 'work.retry', target_id: 'all', actor_id: null },
    ])
  })

  test('retry changes nothing else, and refuses invalid ids, kinds and mails', async () => {
    expect(await retry('messages')).toEqual({
      events: 0,
      reactions: 0,
      messages: 1,
      jobs: 0,
      isCutShort: false,
    })
    expect((await dead()).map(({ kind }) => kind)).toEqual(['events', 'reactions', 'jobs', 'mails'])
    expect((await retryJobs.run(['messages'], { asJson: false })).text).toBe(
      'There is no failed work to retry.',
    )
    for (const [which, appCode] of [
      [newId(), 'not_found'],
      [ids.mails, 'not_found'],
      ['mails', 'validation_error'],
    ] as const)
      await expect(retry(which)).rejects.toMatchObject({ appCode })
  })
})
