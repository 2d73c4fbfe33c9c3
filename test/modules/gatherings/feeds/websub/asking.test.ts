import { describe, expect, test } from 'bun:test'
import { config } from '@/config/config'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import { feedSubscriptionRequests, feedSubscriptions } from '@/db/tables/feed-subscriptions'
import { post } from '../../../../support/api'
import { ownFeed } from '../../../../support/feeds'
import { HOSTILE_TEXTS } from '../../../../support/hostile-texts'
import { makeCaller, makeEvent, makeGroup } from '../../../../support/make'
import {
  agree,
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

const DAY = 24 * 60 * 60
const TOPIC = '/feeds/events.atom'

const leaseOf = async (callback: string) => {
  const [row] = await subscriptionsAt(callback)
  return row && Math.round((row.expiresAt.getTime() - Date.now()) / 1000 / DAY)
}

describe('a request to subscribe', () => {
  test('is accepted, confirmed by the callback with the words that were written, and holds for the lease', async () => {
    const subscriber = openSubscriber()
    const callback = `${subscriber.url}?feed=1&hub.mode=mine`
    const written = topicOf(`${TOPIC}?tag=b%75n&nonsense=1`)
    const fields = { 'hub.mode': 'subscribe', 'hub.topic': written, 'hub.callback': callback }
    const answer = await ask({ ...fields, 'hub.verify': 'async' })
    expect([answer.status, answer.text]).toEqual([202, ''])
    expect(await subscriptionsAt(callback)).toEqual([])
    await runHub()
    const [{ query } = { query: new URLSearchParams() }] = subscriber.asked
    expect(query.get('feed')).toBe('1')
    expect(query.getAll('hub.mode')).toEqual(['mine', 'subscribe'])
    expect(query.get('hub.topic')).toBe(written)
    expect(query.get('hub.lease_seconds')).toBe(String(10 * DAY))
    expect(query.get('hub.challenge')?.length).toBeGreaterThan(20)
    expect(await subscriptionsAt(callback)).toMatchObject([{ topic: '/feeds/events.atom?tag=bun' }])
    expect(await leaseOf(callback)).toBe(10)
    expect(await requestsAt(callback)).toEqual([])
    subscriber.close()
  })

  test('has another challenge each time', async () => {
    const subscriber = openSubscriber()
    await subscribe(TOPIC, subscriber.url)
    await subscribe(TOPIC, subscriber.url)
    expect(new Set(subscriber.asked.map(({ query }) => query.get('hub.challenge'))).size).toBe(2)
    subscriber.close()
  })

  test('has a lease of 1 to 30 days', async () => {
    const subscriber = openSubscriber()
    for (const [seconds, days] of [
      ['1', 1],
      [String(3 * DAY), 3],
      ['999999999999', 30],
    ] as const) {
      await subscribe(TOPIC, subscriber.url, { 'hub.lease_seconds': seconds })
      expect(subscriber.asked.at(-1)?.query.get('hub.lease_seconds')).toBe(String(days * DAY))
      expect(await leaseOf(subscriber.url)).toBe(days)
    }
    subscriber.close()
  })

  const REFUSALS: Record<string, (asked: { query: URLSearchParams }) => Response | Promise<Response>> = {
    'a refusal': () => new Response('no', { status: 404 }),
    'another text': () => new Response('yes'),
    'the challenge and more': ({ query }) => new Response(`${query.get('hub.challenge')}\n`),
    'the challenge in a failure': ({ query }) => new Response(query.get('hub.challenge'), { status: 400 }),
    'a huge body': ({ query }) => new Response((query.get('hub.challenge') ?? '').repeat(1_000_000)),
    'an empty body': () => new Response(''),
    'its own address': ({ query }) => new Response(query.toString()),
  }
  for (const [words, confirm] of Object.entries(REFUSALS))
    test(`comes to nothing with ${words} as the answer`, async () => {
      const subscriber = openSubscriber({ confirm })
      await askTo('subscribe', TOPIC, subscriber.url)
      await runHub()
      expect(subscriber.asked.length).toBe(1)
      expect(await subscriptionsAt(subscriber.url)).toEqual([])
      expect(await requestsAt(subscriber.url)).toEqual([])
      subscriber.close()
    })

  test('comes to nothing with a redirect, which is not followed', async () => {
    const elsewhere = openSubscriber()
    const subscriber = openSubscriber({
      confirm: ({ query }) => Response.redirect(`${elsewhere.url}?${query}`, 302),
    })
    await askTo('subscribe', TOPIC, subscriber.url)
    await runHub()
    expect([subscriber.asked.length, elsewhere.asked.length]).toEqual([1, 0])
    expect(await subscriptionsAt(subscriber.url)).toEqual([])
    subscriber.close()
    elsewhere.close()
  })

  test('is made again a few times where nobody can answer', async () => {
    const subscriber = openSubscriber({ confirm: () => new Response('', { status: 503 }) })
    await askTo('subscribe', TOPIC, subscriber.url)
    await runHub()
    const [request] = await requestsAt(subscriber.url)
    expect(request).toMatchObject({ attempts: 1, leaseOwner: null })
    for (const _ of [2, 3]) {
      await db.update(feedSubscriptionRequests).set({ dueAt: new Date() })
      await runHub()
    }
    expect(subscriber.asked.length).toBe(3)
    expect(await requestsAt(subscriber.url)).toEqual([])
    subscriber.close()
  })

  test('of nobody but the callback renews, shortens, keys or ends a subscription', async () => {
    let isWilling = true
    const subscriber = openSubscriber({
      confirm: (asked) => (isWilling ? agree(asked) : new Response('', { status: 404 })),
    })
    await subscribe(TOPIC, subscriber.url, { 'hub.secret': 'mine', 'hub.lease_seconds': String(20 * DAY) })
    const before = await subscriptionsAt(subscriber.url)
    isWilling = false
    await askTo('subscribe', TOPIC, subscriber.url, { 'hub.secret': 'theirs', 'hub.lease_seconds': '1' })
    await runHub()
    await askTo('unsubscribe', TOPIC, subscriber.url)
    await runHub()
    expect(subscriber.asked.map(({ query }) => query.get('hub.mode'))).toEqual([
      'subscribe',
      'subscribe',
      'unsubscribe',
    ])
    expect(await subscriptionsAt(subscriber.url)).toEqual(before)
    isWilling = true
    await subscribe(TOPIC, subscriber.url, { 'hub.lease_seconds': String(30 * DAY) })
    expect(await leaseOf(subscriber.url)).toBe(30)
    expect((await subscriptionsAt(subscriber.url))[0]?.id).toBe(before[0]?.id as string)
    await askTo('unsubscribe', TOPIC, subscriber.url)
    await runHub()
    expect(await subscriptionsAt(subscriber.url)).toEqual([])
    subscriber.close()
  })

  test('of one asker is replaced by their next, and never by that of another', async () => {
    const subscriber = openSubscriber()
    const from = (address: string, mode: string) =>
      ask(
        { 'hub.mode': mode, 'hub.topic': topicOf(TOPIC), 'hub.callback': subscriber.url },
        { 'x-forwarded-for': address },
      )
    await from('10.200.0.1', 'subscribe')
    await from('10.200.0.1', 'unsubscribe')
    await from('10.200.0.2', 'subscribe')
    expect((await requestsAt(subscriber.url)).map(({ mode }) => mode).sort()).toEqual([
      'subscribe',
      'unsubscribe',
    ])
    subscriber.close()
  })

  test('is about one feed however its address is written', async () => {
    const subscriber = openSubscriber()
    const group = await makeGroup()
    const name = group.urlname
    for (const path of [
      `/feeds/groups/${name}.rss?type=online&tag=x`,
      `/feeds/groups/${name.toUpperCase()}.rss?tag=x&type=online`,
    ])
      await subscribe(path, subscriber.url)
    expect(await subscriptionsAt(subscriber.url)).toMatchObject([{ groupId: group.id }])
    subscriber.close()
  })

  test('keeps neither tokens nor secrets in the clear', async () => {
    const subscriber = openSubscriber()
    const { token } = await makeCaller(['user'])
    const path = await ownFeed(token)
    const secret = randomHex(20)
    await subscribe(path, subscriber.url, { 'hub.secret': secret })
    expect(await subscriptionsAt(subscriber.url)).toMatchObject([{ topic: '/feeds/me.json' }])
    const kept = JSON.stringify(await db.select().from(feedSubscriptions))
    const feedToken = path.split('/').at(-1)?.split('.')[0] as string
    expect(feedToken).toStartWith('fm_feed_')
    for (const hidden of [secret, feedToken, Buffer.from(feedToken).toString('hex')])
      expect(kept).not.toContain(hidden)
    subscriber.close()
  })
})

describe('what is refused at once', () => {
  const CALLBACK = 'http://127.0.0.1:9/cb'

  test('topics that are no feed of ours, all in the same words', async () => {
    const hidden = await makeGroup({ isListed: false })
    const listed = await makeGroup()
    await makeEvent(hidden.id)
    const { token } = await makeCaller(['user'])
    const old = await ownFeed(token)
    await post('/v1/profile/feed-token/rotate', { token })
    const answers = new Set<string>()
    for (const topic of [
      '',
      'nonsense',
      `https://elsewhere.example${TOPIC}`,
      topicOf('/feeds/events.pdf'),
      topicOf('/feeds/others.rss'),
      topicOf('/feeds/events.rss#part'),
      topicOf('/feeds/events.rss?type=nonsense'),
      topicOf('/v1/events'),
      topicOf('/feeds/groups/%ff.rss'),
      topicOf('/feeds/groups/no-such-group.rss'),
      topicOf(`/feeds/groups/${hidden.urlname}.rss`),
      topicOf('/feeds/me/nobody.ics'),
      topicOf(old),
      topicOf(`/feeds/groups/${listed.urlname}.rss?q=${'x'.repeat(3000)}`),
    ]) {
      const answer = await ask({ 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.callback': CALLBACK })
      expect([topic, answer.status, answer.body.code]).toEqual([topic, 400, 'validation_error'])
      answers.add(answer.body.error)
    }
    expect(answers.size).toBe(1)
    expect(await db.select().from(feedSubscriptionRequests)).toEqual([])
  })

  test('takes addresses at the older host as well', async () => {
    const before = config.legacyBaseUrl
    config.legacyBaseUrl = 'https://old.folkmoot.example'
    try {
      const topic = `https://old.folkmoot.example${TOPIC}`
      const answer = await ask({ 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.callback': CALLBACK })
      expect(answer.status).toBe(202)
      expect(await requestsAt(CALLBACK)).toMatchObject([{ topic: TOPIC }])
    } finally {
      config.legacyBaseUrl = before
    }
  })

  test('forms that make no sense', async () => {
    const good = { 'hub.mode': 'subscribe', 'hub.topic': topicOf(TOPIC), 'hub.callback': CALLBACK }
    const changes: Record<string, string>[] = [
      { 'hub.mode': 'publish' },
      { 'hub.mode': '' },
      { 'hub.callback': '' },
      { 'hub.callback': 'http://elsewhere.example/' },
      { 'hub.callback': `${CALLBACK}#x` },
      { 'hub.callback': 'http://user:password@127.0.0.1:9/' },
      { 'hub.lease_seconds': '-1' },
      { 'hub.lease_seconds': '1e9' },
      { 'hub.secret': 'ü'.repeat(101) },
    ]
    for (const change of changes)
      expect([change, (await ask({ ...good, ...change })).status]).toEqual([change, 400])
    const twice = `${new URLSearchParams(good)}&hub.callback=http%3A%2F%2F127.0.0.1%3A8%2F`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await post('/websub', { body: twice, headers })).status).toBe(400)
    expect((await post('/websub', { json: good })).status).toBe(400)
    expect((await post('/websub', { body: 'x'.repeat(100_000), headers })).status).toBe(413)
    expect((await ask({ ...good, 'hub.secret': 'ü'.repeat(100) })).status).toBe(202)
  })

  test('hostile text, without an echo', async () => {
    const good = { 'hub.mode': 'subscribe', 'hub.topic': topicOf(TOPIC), 'hub.callback': CALLBACK }
    for (const text of HOSTILE_TEXTS.filter((text) => text.trim() !== ''))
      for (const field of Object.keys(good)) {
        const answer = await ask({ ...good, [field]: text })
        // Some are addresses that anybody might have.
        const status = field === 'hub.callback' && answer.status === 202 ? 202 : 400
        expect([field, text, answer.status]).toEqual([field, text, status])
        if (text.length > 8) expect(answer.text).not.toContain(text)
      }
  })

  test('everything, where another hub is announced', async () => {
    const before = config.hub
    config.hub = { url: 'https://hub.example/', isOwn: false }
    try {
      expect((await askTo('subscribe', TOPIC, CALLBACK)).status).toBe(400)
    } finally {
      config.hub = before
    }
  })
})
