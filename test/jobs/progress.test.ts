import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { answerLost, invalid, unavailableBy } from '@/core/errors'
import { db } from '@/db/client'
import { jobs } from '@/db/tables/jobs'
import { users } from '@/db/tables/users'
import { transaction } from '@/db/transaction'
import { enqueue, type Job, job } from '@/jobs/job'
import { runNextJob, startJobs } from '../support/lanes'
import { makeUser } from '../support/make'
import { until } from '../support/processes'
import { countingJob } from './counting'

const LEASE_MS = 600

/** Each test has its own way through the steps of the same kind of job. */
const counting = countingJob(async () => {})

const rowOf = async (id: string) => {
  const [row] = await db.select().from(jobs).where(eq(jobs.id, id))
  if (row === undefined) throw new Error('The job is gone')
  return row
}

const begin = (userId: string, to = 3) => transaction((tx) => enqueue(tx, counting, userId, { to }))

const open: { stop(): Promise<void> }[] = []
const start = (kinds: Job[]) => open.push(startJobs(kinds, { leaseMs: LEASE_MS }))
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop()
  await db.delete(jobs)
})
const children = new Set<ReturnType<typeof Bun.spawn>>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

describe('a job', () => {
  test('records its progress while running, then its result', async () => {
    const user = await makeUser()
    const gate = Promise.withResolvers<void>()
    start([countingJob((done) => (done === 2 ? gate.promise : Promise.resolve()))])
    const id = await begin(user.id)
    await until('it is at its second step', async () => (await rowOf(id)).done === 2)
    expect(await rowOf(id)).toMatchObject({ status: 'running', done: 2, total: 3, result: null })
    gate.resolve()
    await until('it is done', async () => (await rowOf(id)).status === 'done')
    expect(await rowOf(id)).toMatchObject({
      status: 'done',
      done: 3,
      total: 3,
      result: { counted: 3 },
      error: null,
      finishedAt: expect.any(Date),
    })
  })

  test('of a killed process is restarted by another, once its lease has expired', async () => {
    const user = await makeUser()
    const id = await begin(user.id)
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'hanging-worker.ts')], {
      env: { ...process.env, LEASE_MS: String(LEASE_MS) },
      stdout: 'ignore',
      stderr: 'inherit',
    })
    children.add(child)
    const leaseOf = async () =>
      (await db.select().from(jobs).where(eq(jobs.id, id)))[0]?.nextAttemptAt.getTime() ?? 0
    await until('it hangs', async () => (await rowOf(id)).done === 2)
    const lease = await leaseOf()
    await until(
      'its lease was put off though nothing moved',
      async () => (await leaseOf()) > lease + LEASE_MS,
    )
    expect(await runNextJob([counting])).toBe(false)
    child.kill('SIGKILL')
    await child.exited
    start([counting])
    await until('it is done', async () => (await rowOf(id)).status === 'done')
    expect((await db.select().from(jobs).where(eq(jobs.id, id)))[0]?.attempts).toBe(2)
  })

  test('taken over by another run ends in the run that lost it', async () => {
    const user = await makeUser()
    const gate = Promise.withResolvers<void>()
    const id = await begin(user.id)
    const steps: number[] = []
    const slow = runNextJob([
      countingJob(async (done) => {
        steps.push(done)
        if (done === 1) await gate.promise
      }),
    ])
    await until('it has begun', async () => (await rowOf(id)).done === 1)
    // As if its process had been stopped for too long.
    await db.update(jobs).set({ nextAttemptAt: new Date() }).where(eq(jobs.id, id))
    expect(await runNextJob([counting])).toBe(true)
    gate.resolve()
    await slow
    expect(steps).toEqual([1])
    expect(await rowOf(id)).toMatchObject({ status: 'done', done: 3, result: { counted: 3 } })
  })

  test('is not failed by the fifth kill of its process, but by the twentieth', async () => {
    const [unlucky, deadly] = [await begin((await makeUser()).id), await begin((await makeUser()).id)]
    await db.update(jobs).set({ attempts: 5, status: 'running' }).where(eq(jobs.id, unlucky))
    await db.update(jobs).set({ attempts: 20, status: 'running' }).where(eq(jobs.id, deadly))
    expect([await runNextJob([counting]), await runNextJob([counting])]).toEqual([true, true])
    expect([(await rowOf(unlucky)).status, (await rowOf(deadly)).status]).toEqual(['done', 'failed'])
  })

  test('that fails is retried, and failed after five attempts without internal details', async () => {
    const user = await makeUser()
    const failing = countingJob(() => Promise.reject(new Error('secret things')))
    const id = await begin(user.id)
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await db.update(jobs).set({ nextAttemptAt: new Date() }).where(eq(jobs.id, id))
      expect(await runNextJob([failing])).toBe(true)
      expect((await rowOf(id)).status).toBe(attempt < 5 ? 'queued' : 'failed')
      expect(await runNextJob([failing])).toBe(false)
    }
    expect((await rowOf(id)).error).toBe('It failed on our side')
  })

  test.each([
    ['finds every connection in use', unavailableBy('POOL_BUSY')],
    ['loses the answer to a commit', answerLost(new Error('COMMIT_SILENT'))],
    [
      'wraps the outage in an error of its own',
      new Error('a statement', { cause: unavailableBy('POOL_BUSY') }),
    ],
  ])('that %s is tried again for as long as it takes', async (_what, outage) => {
    const user = await makeUser()
    const id = await begin(user.id)
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      await db.update(jobs).set({ nextAttemptAt: new Date() }).where(eq(jobs.id, id))
      await runNextJob([countingJob(() => Promise.reject(outage))])
      expect(await rowOf(id)).toMatchObject({ status: 'queued', error: null })
    }
    await db.update(jobs).set({ nextAttemptAt: new Date() }).where(eq(jobs.id, id))
    await runNextJob([counting])
    expect(await rowOf(id)).toMatchObject({ status: 'done', result: { counted: 3 } })
  })

  test('that is refused reports the reason at once', async () => {
    const user = await makeUser()
    const id = await begin(user.id)
    const refusing = job({ ...counting, run: () => Promise.reject(invalid('to: there is nothing to count')) })
    await runNextJob([refusing])
    expect(await rowOf(id)).toMatchObject({
      status: 'failed',
      error: 'to: there is nothing to count',
    })
  })

  test('counts towards a quota per person, even with concurrent requests', async () => {
    const user = await makeUser()
    const asked = await Promise.allSettled(Array.from({ length: 60 }, () => begin(user.id)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(50)
    expect(await db.$count(jobs, eq(jobs.ownerId, user.id))).toBe(50)
    await expect(begin(user.id)).rejects.toMatchObject({ appCode: 'conflict' })
  })

  test('is deleted with its owner', async () => {
    const user = await makeUser()
    const gate = Promise.withResolvers<void>()
    const id = await begin(user.id)
    const running = runNextJob([countingJob((done) => (done === 1 ? gate.promise : Promise.resolve()))])
    await until('it has begun', async () => (await rowOf(id)).done === 1)
    await db.delete(users).where(eq(users.id, user.id))
    gate.resolve()
    expect(await running).toBe(true)
    expect(await db.$count(jobs, eq(jobs.id, id))).toBe(0)
  })

  test('of an unknown kind is left alone', async () => {
    const user = await makeUser()
    const id = await begin(user.id)
    expect(await runNextJob([job({ ...counting, name: 'another' })])).toBe(false)
    expect((await rowOf(id)).status).toBe('queued')
  })
})
