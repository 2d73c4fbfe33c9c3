import { afterEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { config } from '@/config/config'
import { db } from '@/db/client'
import { patch } from '../../../../support/api'
import { makeAdmin, makeGroup } from '../../../../support/make'
import {
  ask,
  askTo,
  leaveNoSubscriptions,
  openSubscriber,
  requestsAt,
  runHub,
  subscribe,
  subscriptionsAt,
  topicOf,
} from '../../../../support/websub'

leaveNoSubscriptions()

const TOPIC = '/feeds/events.atom'
const CALLBACK = 'http://127.0.0.1:9/cb'

const [limits, quotas] = [{ ...config.rateLimits }, { ...config.quotas }]
afterEach(() => {
  Object.assign(config.rateLimits, limits)
  Object.assign(config.quotas, quotas)
})

let addresses = 0
const newAddress = () => {
  addresses += 1
  return `10.201.0.${addresses}`
}

const askFrom = (address: string, callback: string, topic = TOPIC) =>
  ask(
    { 'hub.mode': 'subscribe', 'hub.topic': topicOf(topic), 'hub.callback': callback },
    { 'x-forwarded-for': address },
  )

/** Requests that wait, as if others had asked. */
const fill = (count: number, host: string, asker?: Uint8Array) =>
  db.execute(sql`
    insert into feed_subscription_requests (id, mode, key, asker, topic, callback, callback_host, sealed, lease_seconds, due_at)
    select id, 'subscribe', uuid_send(id), coalesce(${asker ?? null}::bytea, uuid_send(id)), ${TOPIC}::text, ${CALLBACK}::text,
      ${host}::text, '', 1, now() from (select uuidv7() as id from generate_series(1, ${count}::int)) made`)

describe('requests', () => {
  test('are so many an hour for an address, and the limit of one is not that of another', async () => {
    config.rateLimits.websubPerHour = 3
    const [one, other] = [newAddress(), newAddress()]
    for (let i = 0; i < 3; i += 1) expect((await askFrom(one, CALLBACK)).status).toBe(202)
    const refused = await askFrom(one, CALLBACK)
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect((await askFrom(other, CALLBACK)).status).toBe(202)
  })

  test('to one host are limited together, at many times of what one address has', async () => {
    config.rateLimits.websubPerHour = 1
    const host = 'https://busy.folkmoot.example/'
    const statuses: number[] = []
    for (let i = 0; i < 31; i += 1) statuses.push((await askFrom(newAddress(), host)).status)
    expect(statuses).toEqual([...Array(30).fill(202), 429])
  })

  test('for the same from one address are few a minute, and whose callback it is may still ask', async () => {
    const subscriber = openSubscriber()
    const [stranger, own] = [newAddress(), newAddress()]
    const statuses: number[] = []
    for (let i = 0; i < 8; i += 1) {
      statuses.push((await askFrom(stranger, subscriber.url)).status)
      await runHub()
    }
    expect(statuses).toEqual([...Array(5).fill(202), 429, 429, 429])
    expect(subscriber.asked.length).toBe(5)
    expect((await askFrom(own, subscriber.url)).status).toBe(202)
    expect((await askFrom(stranger, `${subscriber.url}/another`)).status).toBe(202)
    subscriber.close()
  })

  test('to one host from one address are so many a minute, and the limit of one is not that of another', async () => {
    const [stranger, own] = [newAddress(), newAddress()]
    const statuses: number[] = []
    for (let i = 0; i < 61; i += 1) statuses.push((await askFrom(stranger, `${CALLBACK}/${i}`)).status)
    expect(statuses).toEqual([...Array(60).fill(202), 429])
    expect((await askFrom(own, CALLBACK)).status).toBe(202)
  })

  test('wait for one host in bounded number: of one asker, of all, and everywhere', async () => {
    const address = newAddress()
    expect((await askFrom(address, CALLBACK)).status).toBe(202)
    const asker = (await requestsAt(CALLBACK))[0]?.asker as Uint8Array
    await fill(99, '127.0.0.1', asker)
    expect((await askFrom(address, `${CALLBACK}/more`)).status).toBe(429)
    // The same again takes no place, and another asker has places of their own.
    expect((await askFrom(address, CALLBACK)).status).toBe(202)
    expect((await askFrom(newAddress(), `${CALLBACK}/more`)).status).toBe(202)
    await fill(900, '127.0.0.1')
    expect((await askFrom(newAddress(), `${CALLBACK}/others`)).status).toBe(429)
    expect((await askFrom(newAddress(), 'https://elsewhere.folkmoot.example/')).status).toBe(202)
    await fill(9000, 'x.example')
    expect((await askFrom(newAddress(), 'https://elsewhere.folkmoot.example/2')).status).toBe(429)
  })
})

describe('subscriptions', () => {
  for (const quota of ['subscriptions', 'subscriptionsPerHost'] as const)
    test(`are bounded (${quota}): one more is denied, and one that is there can be renewed`, async () => {
      config.quotas[quota] = 2
      const subscriber = openSubscriber()
      for (const path of ['1', '2', '3']) await subscribe(TOPIC, `${subscriber.url}/${path}`)
      expect(subscriber.asked.map(({ query }) => query.get('hub.mode'))).toEqual([
        'subscribe',
        'subscribe',
        'subscribe',
        'denied',
      ])
      expect(await subscriptionsAt(`${subscriber.url}/3`)).toEqual([])
      await subscribe(TOPIC, `${subscriber.url}/2`, { 'hub.lease_seconds': String(30 * 24 * 60 * 60) })
      expect((await subscriptionsAt(`${subscriber.url}/2`)).length).toBe(1)
      expect(subscriber.asked.length).toBe(5)
      subscriber.close()
    })

  test('that are confirmed at once stay within their number', async () => {
    config.quotas.subscriptionsPerHost = 5
    const subscriber = openSubscriber()
    for (let i = 0; i < 12; i += 1) await askTo('subscribe', TOPIC, `${subscriber.url}/${i}`)
    await runHub(2)
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) => subscriptionsAt(`${subscriber.url}/${i}`)),
    )
    expect(all.flat().length).toBe(5)
    subscriber.close()
  })

  const kept = async (callbacks: string[]) => {
    const rows = await Promise.all(callbacks.map(subscriptionsAt))
    return rows.map(({ length }) => length)
  }

  for (const quota of ['subscriptions', 'subscriptionsPerHost'] as const)
    test(`of one who asks are a fifth (${quota}): a stranger does not use up what others may have`, async () => {
      config.quotas[quota] = 10
      const subscriber = openSubscriber()
      const callbacks = ['1', '2', '3', '4'].map((path) => `${subscriber.url}/${path}`)
      const [stranger, other] = [newAddress(), newAddress()]
      for (const callback of callbacks) {
        await askFrom(callback.endsWith('4') ? other : stranger, callback)
        await runHub()
      }
      expect(await kept(callbacks)).toEqual([1, 1, 0, 1])
      subscriber.close()
    })

  test('to feeds with filters are fewer, for one who asks and for a host', async () => {
    config.quotas.filteredSubscriptionsPerHost = 10
    const subscriber = openSubscriber()
    const callbacks = ['1', '2', '3', '4'].map((path) => `${subscriber.url}/${path}`)
    const address = newAddress()
    for (const callback of callbacks) {
      await askFrom(address, callback, callback.endsWith('4') ? TOPIC : `${TOPIC}?tag=bun`)
      await runHub()
    }
    expect(await kept(callbacks)).toEqual([1, 1, 0, 1])
    config.quotas.filteredSubscriptionsPerHost = 2
    await askFrom(newAddress(), `${subscriber.url}/5`, `${TOPIC}?tag=bun`)
    await runHub()
    expect(await kept([`${subscriber.url}/5`])).toEqual([0])
    subscriber.close()
  })

  test('to a group that is hidden before the callback answers are denied', async () => {
    const group = await makeGroup()
    const subscriber = openSubscriber()
    await askTo('subscribe', `/feeds/groups/${group.urlname}.rss`, subscriber.url)
    await hide(group.id)
    await runHub()
    expect(subscriber.asked.map(({ query }) => query.get('hub.mode'))).toEqual(['denied'])
    expect(await subscriptionsAt(subscriber.url)).toEqual([])
    subscriber.close()
  })
})

async function hide(groupId: string) {
  const { token } = await makeAdmin()
  await patch(`/v1/admin/groups/${groupId}`, { token, json: { isListed: false } })
}
