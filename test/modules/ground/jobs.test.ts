import { describe, expect, test } from 'bun:test'
import { db } from '@/db/client'
import { emit } from '@/db/outbox'
import { heartbeats } from '@/db/tables/facts'
import { transaction } from '@/db/transaction'
import { openJobs } from '@/jobs/backend'
import { listener } from '@/jobs/listener'
import { startOutboxRelay } from '../../../workers/outbox-relay'
import { SCHEDULES, startSchedules } from '../../../workers/schedules'
import { until } from '../../support/processes'

const databaseUrl = process.env.DATABASE_URL as string
const redisUrl = process.env.TEST_REDIS_URL || null
if (!redisUrl) console.log('!! no Redis: jobs on Redis are NOT tested')

const backends: [string, string | null][] = [
  ['PostgreSQL', null],
  ...(redisUrl ? [['Redis', redisUrl] as [string, string]] : []),
]

describe.each(backends)('jobs on %s', (name, url) => {
  test('a fact travels through outbox, relay and queue to its listener, once', async () => {
    const heard = listener({
      name: `heard-on-${name.toLowerCase()}`,
      hears: ['token.revoked'],
      react: async (tx, fact) => {
        await tx.insert(heartbeats).values({
          worker: `${name} ${(fact.data as { userId: string }).userId} ${crypto.randomUUID()}`,
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
    expect(await jobs.queue('schedules').getJobSchedulers()).toHaveLength(SCHEDULES.length)
    await relay.stop()
    schedules.stop()
    await jobs.close()
    expect(await effects()).toHaveLength(people.length)
  })
})
