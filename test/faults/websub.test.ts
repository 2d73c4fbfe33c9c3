import { afterEach, expect, test } from 'bun:test'
import postgres from 'postgres'
import { ownDatabase, startServer, startWorker, until } from '../support/processes'
import { freePort } from '../support/redis'
import { seedEvent } from '../support/seed'
import { openSubscriber } from '../support/websub'

/** A lease runs out in half a minute. */
const LONG_MS = 120_000

const open: { stop(signal?: NodeJS.Signals): Promise<unknown> }[] = []
const kept = <T extends { stop(signal?: NodeJS.Signals): Promise<unknown> }>(one: T): T => {
  open.push(one)
  return one
}
afterEach(async () => {
  for (const one of open.splice(0)) await one.stop('SIGKILL')
})

/** A server with a group of one event, whose feed somebody may subscribe to. */
async function stage() {
  const databaseUrl = await ownDatabase()
  const port = String(await freePort())
  const environment = {
    DATABASE_URL: databaseUrl,
    FOLKMOOT_MODE: 'test',
    PORT: port,
    BASE_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: 'warn',
  }
  const { url } = kept(await startServer(environment))
  const { groupId, eventId, urlname, owner } = await seedEvent(databaseUrl)
  const topic = `${url}/feeds/groups/${urlname}.atom`
  const subscriber = openSubscriber()
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  open.push({ stop: async () => void (await Promise.all([subscriber.close(), sql.end()])) })
  let count = 0
  const work = (failpoint?: string) =>
    kept(startWorker({ ...environment, ...(failpoint && { FOLKMOOT_FAILPOINT: failpoint }) }))
  return {
    subscriber,
    work,
    async ask() {
      const fields = { 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.callback': subscriber.url }
      const answer = await fetch(`${url}/websub`, { method: 'POST', body: new URLSearchParams(fields) })
      expect(answer.status).toBe(202)
    },
    async change() {
      const answer = await fetch(`${url}/v1/manage/groups/${groupId}/events/${eventId}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ title: `Title ${count++}` }),
      })
      expect(answer.status).toBe(200)
    },
    feed: async () => (await fetch(topic)).text(),
    isSubscribed: async () => (await sql`select 1 from feed_subscriptions`).length === 1,
    isQuiet: async () =>
      (
        await sql`select 1 from feed_subscriptions where due_at is not null or lease_until is not null
          union all select 1 from outbox where relayed_at is null`
      ).length === 0,
  }
}

test('a worker that dies after it asked leaves the question to another', async () => {
  const { subscriber, work, ask, isSubscribed } = await stage()
  const doomed = work('after-verification')
  await ask()
  await doomed.exited
  expect([subscriber.asked.length, await isSubscribed()]).toEqual([1, false])
  work()
  await until('it is subscribed', isSubscribed, LONG_MS)
  expect(subscriber.asked.length).toBe(2)
})

test('a worker that dies after a push causes exactly one repeated push', async () => {
  const { subscriber, work, ask, change, feed, isSubscribed, isQuiet } = await stage()
  await ask()
  const first = work()
  await until('it is subscribed', isSubscribed, LONG_MS)
  await until('nothing is due', isQuiet, LONG_MS)
  await first.stop('SIGTERM')
  const doomed = work('after-push')
  await change()
  await doomed.exited
  expect(subscriber.told.length).toBe(1)
  work()
  work()
  await until('nothing is due', isQuiet, LONG_MS)
  expect(subscriber.told.map(({ body }) => body)).toEqual(Array(2).fill(await feed()))
})

test('workers that are killed again and again leave the subscriber with what the feed shows', async () => {
  const { subscriber, work, ask, change, feed, isSubscribed, isQuiet } = await stage()
  await ask()
  let worker = work()
  await until('it is subscribed', isSubscribed, LONG_MS)
  for (let round = 0; round < 6; round += 1) {
    const told = subscriber.told.length
    await change()
    // Some are killed before they could tell anybody.
    if (round % 2 === 0) await until('it is told', () => subscriber.told.length > told, LONG_MS)
    await worker.stop('SIGKILL')
    worker = work()
  }
  await until('nothing is due', isQuiet, LONG_MS)
  expect(subscriber.told.at(-1)?.body).toBe(await feed())
})
