import { afterAll, describe, expect, test } from 'bun:test'
import { isNull } from 'drizzle-orm'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { heartbeats, outbox, reactions } from '@/db/tables/outbox'
import { transaction } from '@/db/transaction'
import { openJobs } from '@/jobs/backend'
import { emit } from '@/outbox/emit'
import { listener } from '@/outbox/listener'
import { startOutboxRelay } from '../../workers/outbox-relay'
import { startSchedules } from '../../workers/schedules'
import { until } from '../support/processes'
import { startRedis } from '../support/redis'

const databaseUrl = process.env.DATABASE_URL as string
// Of its own where that can be had: workers of others on a shared one would take our jobs, which mean nothing to them.
const binary = Bun.which('redis-server')
const redis = binary ? await startRedis(binary, process.env.TEST_FOLDER as string) : undefined
const redisUrl = redis?.url ?? (process.env.TEST_REDIS_URL || null)
afterAll(() => redis?.stop())
if (!redisUrl) console.log('!! no Redis: jobs on Redis are NOT tested')

const backends: [string, string | null][] = [
  ['PostgreSQL', null],
  ...(redisUrl ? [['Redis', redisUrl] as [string, string]] : []),
]

const somebody = () => ({ tokenId: newId(), userId: newId() })

describe.each(backends)('jobs on %s', (name, url) => {
  test('a domain event reaches its listener once through outbox, relay and queue', async () => {
    const heard = listener({
      name: `heard-on-${name.toLowerCase()}`,
      on: ['token.revoked'],
      react: async (tx, event) => {
        await tx.insert(heartbeats).values({
          worker: `${name} ${(event.data as { userId: string }).userId} ${crypto.randomUUID()}`,
          at: new Date(),
        })
      },
    })
    const jobs = openJobs({ redisUrl: url, databaseUrl })
    const relay = startOutboxRelay(jobs, [heard])
    const schedules = startSchedules(jobs)
    const people = Array.from({ length: 25 }, () => Bun.randomUUIDv7())
    for (const userId of people)
      await transaction((tx) => emit(tx, 'token.revoked', { tokenId: Bun.randomUUIDv7(), userId }))
    const effects = async () =>
      (await db.select().from(heartbeats)).filter(({ worker }) =>
        people.some((userId) => worker.startsWith(`${name} ${userId}`)),
      )
    await until('everyone was heard', async () => (await effects()).length >= people.length)
    const scheduled = await jobs.queue('schedules').getJobSchedulers()
    expect(scheduled.map(({ key, every }) => [key, Number(every)]).sort()).toEqual([
      ['compact-tallies', 60_000],
      ['event-reminders', 600_000],
      ['files-of-nobody', 21_600_000],
      ['leaderboard-snapshots', 3_600_000],
      ['movers', 600_000],
      ['sweep', 600_000],
      ['uses-of-uploads', 3_600_000],
      ['weekly-digest', 900_000],
    ])
    await relay.stop()
    schedules.stop()
    await jobs.close()
    expect(await effects()).toHaveLength(people.length)
  })

  test("a job of the previous release's worker is processed", async () => {
    const heard: string[] = []
    const rolling = listener({
      name: `rolling-on-${name.toLowerCase()}`,
      on: ['token.revoked'],
      react: async (_tx, event) => void heard.push(event.id),
    })
    const jobs = openJobs({ redisUrl: url, databaseUrl })
    const relay = startOutboxRelay(jobs, [rolling])
    const id = newId()
    const relayedAt = new Date()
    await db.insert(outbox).values({ id, type: 'token.revoked', payload: somebody(), relayedAt })
    // Far away, so that no sweep comes before the job.
    const nextAttemptAt = new Date(relayedAt.getTime() + 3_600_000)
    await db.insert(reactions).values({ outboxId: id, listener: rolling.name, nextAttemptAt })
    await jobs.queue('reactions').add(rolling.name, { factId: id, listener: rolling.name })
    await until('it was heard', () => heard.includes(id))
    await relay.stop()
    await jobs.close()
  })

  test('an urgent reaction overtakes waiting ones', async () => {
    const gate = Promise.withResolvers<void>()
    const begun: string[] = []
    const effect = (event: { type: string }) => {
      begun.push(event.type)
      return gate.promise
    }
    const usual = listener({ name: `usual-on-${name.toLowerCase()}`, on: ['token.revoked'], effect })
    const urgent = listener({
      name: `urgent-on-${name.toLowerCase()}`,
      on: ['user.deleted'],
      isUrgent: true,
      effect,
    })
    const jobs = openJobs({ redisUrl: url, databaseUrl })
    const relay = startOutboxRelay(jobs, [usual, urgent])
    const waiting = () => jobs.queue('reactions').getJobCountByTypes('waiting')
    for (let count = 0; count < 40; count += 1)
      await transaction((tx) => emit(tx, 'token.revoked', somebody()))
    await until(
      'the workers are busy and others wait',
      async () => begun.length === 8 && (await waiting()) === 32,
    )
    await transaction((tx) => emit(tx, 'user.deleted', { userId: newId() }))
    await until('it waits as well', async () => (await waiting()) === 33)
    gate.resolve()
    await until('all were heard', () => begun.length === 41)
    expect(begun.indexOf('user.deleted')).toBeLessThan(16)
    await relay.stop()
    await jobs.close()
  })

  test('polling finds events without a wake-up and reactions with a lost job', async () => {
    const heard: string[] = []
    const late = listener({
      name: `late-on-${name.toLowerCase()}`,
      on: ['token.revoked'],
      react: async (_tx, event) => void heard.push(event.id),
    })
    const jobs = openJobs({ redisUrl: url, databaseUrl })
    const relay = startOutboxRelay(jobs, [late])
    await until('it has looked once', async () => (await db.$count(outbox, isNull(outbox.relayedAt))) === 0)
    const [unannounced, lost] = [newId(), newId()]
    // By a process that died before it publish it.
    await db.insert(outbox).values({ id: unannounced, type: 'token.revoked', payload: somebody() })
    await until('it was heard', () => heard.includes(unannounced))
    await db.transaction(async (tx) => {
      await tx
        .insert(outbox)
        .values({ id: lost, type: 'token.revoked', payload: somebody(), relayedAt: new Date() })
      await tx.insert(reactions).values({ outboxId: lost, listener: late.name, nextAttemptAt: new Date() })
    })
    await until('it was made up for', () => heard.includes(lost))
    await relay.stop()
    await jobs.close()
    expect(heard.filter((id) => id === lost || id === unannounced)).toHaveLength(2)
  })
})
