import { afterEach, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { config } from '@/config/config'
import { advanceClock, now, nowMs } from '@/core/clock'
import { db } from '@/db/client'
import { feedSubscriptions } from '@/db/tables/feed-subscriptions'
import { groups } from '@/db/tables/groups'
import { websubArea } from '@/modules/gatherings/feeds/websub/area'
import { startHub } from '@/modules/gatherings/feeds/websub/dispatch/hub'
import { findSubscriptionFigures } from '@/modules/gatherings/feeds/websub/queries'
import { useResolver } from '@/outbound/destination'
import { lookUp } from '@/outbound/names'
import { del, get, patch, post } from '../../../../support/api'
import { ownFeed } from '../../../../support/feeds'
import { makeAdmin, makeCaller, makeEvent, makeGroup, makeStaffedGroup } from '../../../../support/make'
import { until } from '../../../../support/processes'
import {
  askTo,
  leaveNoSubscriptions,
  openSubscriber,
  runHub,
  subscribe,
  subscriptionsAt,
  tellHub,
  topicOf,
} from '../../../../support/websub'

leaveNoSubscriptions()

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

let moved = 0
const advance = (ms: number) => {
  moved += ms
  advanceClock(ms)
}
afterEach(() => {
  advanceClock(-moved)
  moved = 0
})

/** Further changes are told together, a second later. */
const later = async () => {
  advance(1100)
  await runHub()
}

async function stage() {
  const { group, owner } = await makeStaffedGroup(['manage:events', 'manage:groups'])
  const event = await makeEvent(group.id)
  let count = 0
  return {
    group,
    owner,
    event,
    topic: `/feeds/groups/${group.urlname}.atom`,
    change: async () => {
      const json = { title: `Title ${count++}` }
      const { status } = await patch(`/v1/manage/groups/${group.id}/events/${event.id}`, {
        token: owner.token,
        json,
      })
      expect(status).toBe(200)
    },
  }
}

describe('a push', () => {
  for (const format of ['ics', 'rss', 'atom', 'json'])
    test(`carries the very bytes of ${format}, where they are from, and a signature`, async () => {
      const subscriber = openSubscriber()
      const { group, change } = await stage()
      const topic = `/feeds/groups/${group.urlname}.${format}`
      await subscribe(topic, subscriber.url, { 'hub.secret': 'a secret' })
      expect(subscriber.told).toEqual([])
      await change()
      await runHub()
      const feed = await get(topic)
      expect(subscriber.told.length).toBe(1)
      const [{ body, headers } = { body: '', headers: new Headers() }] = subscriber.told
      expect(body).toBe(feed.text)
      expect(headers.get('content-type')).toBe(feed.headers.get('content-type'))
      expect(headers.get('link')).toBe(
        `<${config.baseUrl}/websub>; rel="hub", <${topicOf(topic)}>; rel="self"`,
      )
      expect(headers.get('content-encoding')).toBeNull()
      expect(headers.get('x-hub-signature')).toBe(
        `sha256=${createHmac('sha256', 'a secret').update(feed.text).digest('hex')}`,
      )
      subscriber.close()
    })

  test('is not signed without a secret', async () => {
    const subscriber = openSubscriber()
    const { topic, change } = await stage()
    await subscribe(topic, subscriber.url)
    await change()
    await runHub()
    expect(subscriber.told[0]?.headers.has('x-hub-signature')).toBe(false)
    subscriber.close()
  })

  test('is one for many changes, and none for a change of something else or of seats', async () => {
    const subscriber = openSubscriber()
    const [here, there] = [await stage(), await stage()]
    await subscribe(here.topic, subscriber.url)
    for (let i = 0; i < 5; i += 1) await here.change()
    await runHub()
    expect(subscriber.told.length).toBe(1)
    await there.change()
    const { token } = await makeCaller(['write:events'])
    expect((await post(`/v1/events/${here.event.id}/rsvp`, { token, json: {} })).status).toBe(201)
    await later()
    expect(subscriber.told.length).toBe(1)
    await here.change()
    await here.change()
    await later()
    expect(subscriber.told.length).toBe(2)
    subscriber.close()
  })

  test('of a filtered feed comes only when what it shows has changed', async () => {
    const subscriber = openSubscriber()
    const { group, change } = await stage()
    await subscribe(`/feeds/events.rss?tag=nobody-uses-this`, subscriber.url)
    await subscribe(`/feeds/events.rss?group=${group.urlname}`, subscriber.url)
    await change()
    await runHub()
    expect(subscriber.told.map(({ headers }) => headers.get('link'))).toEqual([
      expect.stringContaining(`group=${group.urlname}`),
    ])
    subscriber.close()
  })

  test('that changes meanwhile is followed by another', async () => {
    const { topic, change } = await stage()
    const subscriber = openSubscriber({
      accept: async (_, count) => {
        if (count === 1) {
          await change()
          await tellHub()
        }
        return new Response()
      },
    })
    await subscribe(topic, subscriber.url)
    await change()
    await runHub()
    await later()
    expect(subscriber.told.length).toBe(2)
    expect(subscriber.told[1]?.body).toBe((await get(topic)).text)
    subscriber.close()
  })

  test('of a change that came between the confirmation and its end is not missed', async () => {
    const { topic, change } = await stage()
    const subscriber = openSubscriber({
      confirm: async ({ query }) => {
        await change()
        return new Response(query.get('hub.challenge'))
      },
    })
    await askTo('subscribe', topic, subscriber.url)
    await runHub()
    await change()
    await later()
    expect(subscriber.told.at(-1)?.body).toBe((await get(topic)).text)
    subscriber.close()
  })

  test('of a person tells of their answers and favorites, and of nobody else', async () => {
    const { event, group, change } = await stage()
    const scopes = ['user', 'write:events', 'write:favorites'] as const
    const [guest, other] = [await makeCaller([...scopes]), await makeCaller([...scopes])]
    const [own, theirs] = [openSubscriber(), openSubscriber()]
    const topic = await ownFeed(guest.token, 'ics')
    await subscribe(topic, own.url)
    await subscribe(await ownFeed(other.token, 'ics'), theirs.url)
    await post(`/v1/events/${event.id}/rsvp`, { token: guest.token, json: {} })
    await runHub()
    expect(own.told.map(({ body }) => body)).toEqual([(await get(topic)).text])
    expect(own.told[0]?.body).toContain(event.id)
    expect(own.told[0]?.headers.get('link')).toContain(`<${topicOf(topic)}>; rel="self"`)
    await change()
    await later()
    expect(own.told.length).toBe(2)
    await post(`/v1/favorites/${group.urlname}`, { token: other.token })
    await later()
    expect([own.told.length, theirs.told.length]).toEqual([2, 1])
    own.close()
    theirs.close()
  })

  test('of two hubs is sent once', async () => {
    const subscriber = openSubscriber()
    const { topic, change } = await stage()
    const callbacks = Array.from({ length: 20 }, (_, i) => `${subscriber.url}/${i}`)
    for (const callback of callbacks) await askTo('subscribe', topic, callback)
    await runHub(2)
    expect(subscriber.asked.length).toBe(20)
    await change()
    await runHub(2)
    expect(subscriber.told.map(({ path }) => path).sort()).toEqual(
      callbacks.map((callback) => new URL(callback).pathname).sort(),
    )
    subscriber.close()
  })
})

test('what changes while feeds name another hub is told once they name ours again', async () => {
  const subscriber = openSubscriber()
  const { topic, change } = await stage()
  await subscribe(topic, subscriber.url)
  const own = config.hub
  try {
    config.hub = { url: 'https://hub.example/', isOwn: false }
    await change()
    await tellHub()
    const hub = startHub({ pollMs: 20 })
    await hub.stop()
  } finally {
    config.hub = own
  }
  expect(subscriber.told).toEqual([])
  await runHub()
  expect(subscriber.told.map(({ body }) => body)).toEqual([(await get(topic)).text])
  subscriber.close()
})

describe('a long feed', () => {
  const LONG = 3_000_000

  test('is pushed the less often the longer it is, and shows the last change then', async () => {
    const subscriber = openSubscriber()
    const { topic, change } = await stage()
    await subscribe(topic, subscriber.url)
    await change()
    await runHub()
    await db.update(feedSubscriptions).set({ bytes: LONG })
    await change()
    await change()
    advance(29_000)
    await runHub()
    expect(subscriber.told.length).toBe(1)
    // Nor sooner for one who asks for it again and again.
    await subscribe(topic, subscriber.url)
    expect(subscriber.told.length).toBe(1)
    advance(2000)
    await runHub()
    expect(subscriber.told.length).toBe(2)
    expect(subscriber.told[1]?.body).toBe((await get(topic)).text)
    expect((await subscriptionsAt(subscriber.url))[0]?.bytes).toBe(
      Buffer.byteLength(subscriber.told[1]?.body ?? ''),
    )
    subscriber.close()
  })

  for (const bound of ['all', 'ofHost'] as const)
    test(`takes its part of the bytes in a second (${bound}), and the rest waits`, async () => {
      const subscriber = openSubscriber()
      const { topic, change } = await stage()
      for (let i = 0; i < 6; i += 1) await subscribe(topic, `${subscriber.url}/${i}`)
      await db.update(feedSubscriptions).set({ bytes: LONG })
      await change()
      await tellHub()
      const plenty = { perSecond: 1e9, atOnce: 1e9 }
      const little = { perSecond: 1, atOnce: 2 * LONG }
      const hub = startHub({ pollMs: 20, bytes: { all: plenty, ofHost: plenty, [bound]: little } })
      await until('two were sent', () => subscriber.told.length >= 2)
      await hub.stop()
      // They were shorter than expected, which leaves room for others.
      expect(subscriber.told.length).toBeLessThan(6)
      await runHub()
      expect(subscriber.told.length).toBe(6)
      subscriber.close()
    })
})

describe('a subscription ends', () => {
  /** Subscribed, told once, then ended by something: it is told so, and hears nothing more. */
  async function ends(topic: string, end: () => Promise<unknown>) {
    const subscriber = openSubscriber()
    await subscribe(topic, subscriber.url)
    await end()
    await runHub()
    expect(await subscriptionsAt(subscriber.url)).toEqual([])
    expect(subscriber.told).toEqual([])
    const [, denial] = subscriber.asked
    expect(denial?.query.get('hub.mode')).toBe('denied')
    expect(denial?.query.get('hub.topic')).toBe(topicOf(topic))
    subscriber.close()
  }

  test('with the listing of its group', async () => {
    const { group, topic } = await stage()
    const { token } = await makeAdmin()
    await ends(topic, () => patch(`/v1/admin/groups/${group.id}`, { token, json: { isListed: false } }))
  })

  test('with its group', async () => {
    const { group, owner, topic } = await stage()
    const path = `/v1/manage/groups/${group.id}?confirm=${group.urlname}`
    await ends(topic, async () => expect((await del(path, { token: owner.token })).status).toBe(204))
  })

  test('with the token in its address', async () => {
    const { token } = await makeCaller(['user'])
    await ends(await ownFeed(token), () => post('/v1/profile/feed-token/rotate', { token }))
  })

  test('with its person', async () => {
    const { token, user } = await makeCaller(['user'])
    const { token: admin } = await makeAdmin()
    await ends(await ownFeed(token), async () =>
      expect((await del(`/v1/admin/users/${user.id}`, { token: admin })).status).toBe(204),
    )
  })

  test('with a group without events, whose feed is the same as long as anything shows it', async () => {
    const group = await makeGroup()
    const subscriber = openSubscriber()
    await subscribe(`/feeds/groups/${group.urlname}.atom`, subscriber.url)
    // Past all caches, as another process that has not told this one yet.
    await db.update(groups).set({ isListed: false }).where(eq(groups.id, group.id))
    await db.update(feedSubscriptions).set({ dueAt: new Date(nowMs()) })
    await runHub()
    expect(subscriber.asked.at(-1)?.query.get('hub.mode')).toBe('denied')
    expect(await subscriptionsAt(subscriber.url)).toEqual([])
    subscriber.close()
  })

  test('with the suspension of its person', async () => {
    const { token, user } = await makeCaller(['user'])
    const admin = await makeAdmin()
    await ends(await ownFeed(token), async () =>
      expect(
        (await patch(`/v1/admin/users/${user.id}`, { token: admin.token, json: { suspended: true } })).status,
      ).toBe(200),
    )
  })

  test('when its receiver says 410', async () => {
    const subscriber = openSubscriber({ accept: () => new Response('', { status: 410 }) })
    const { topic, change } = await stage()
    await subscribe(topic, subscriber.url)
    await change()
    await runHub()
    expect(subscriber.told.length).toBe(1)
    expect(await subscriptionsAt(subscriber.url)).toEqual([])
    subscriber.close()
  })

  test('with its lease', async () => {
    const [short, long] = [openSubscriber(), openSubscriber()]
    const { topic, change } = await stage()
    await subscribe(topic, short.url, { 'hub.lease_seconds': '1' })
    await subscribe(topic, long.url)
    advance(DAY + 1000)
    await change()
    await tellHub()
    const hub = startHub({ pollMs: 20 })
    await until('the other one hears', () => long.told.length === 1)
    await hub.stop()
    expect(short.told).toEqual([])
    for (const { run } of websubArea.sweeps) await run()
    expect([await subscriptionsAt(short.url), (await subscriptionsAt(long.url)).length]).toEqual([[], 1])
    short.close()
    long.close()
  })
})

describe('a receiver that fails', () => {
  const only = async (callback: string) => (await subscriptionsAt(callback))[0]

  test('is told again for a day, with what the feed shows by then, and stays subscribed', async () => {
    let isDown = true
    const subscriber = openSubscriber({ accept: () => new Response('', { status: isDown ? 500 : 204 }) })
    const { topic, change } = await stage()
    await subscribe(topic, subscriber.url)
    const begunAt = nowMs()
    await change()
    await runHub()
    for (let row = await only(subscriber.url); row?.dueAt; row = await only(subscriber.url)) {
      advance(Math.max(0, row.dueAt.getTime() - nowMs()) + 1)
      await change()
      await runHub()
    }
    expect(subscriber.told.length).toBe(7)
    expect(nowMs() - begunAt).toBeGreaterThan(13 * HOUR)
    expect(nowMs() - begunAt).toBeLessThan(DAY)
    expect(new Set(subscriber.told.map(({ body }) => body)).size).toBe(7)
    isDown = false
    await change()
    await later()
    expect(subscriber.told.length).toBe(8)
    expect(await only(subscriber.url)).toMatchObject({ dueAt: null, attempts: 0, failingSince: null })
    subscriber.close()
  })

  test('is counted for administrators, as are those that are due or not confirmed', async () => {
    const figures = () => findSubscriptionFigures(db, now())
    const subscriber = openSubscriber({ accept: () => new Response('', { status: 500 }) })
    const { topic, change } = await stage()
    await askTo('subscribe', topic, subscriber.url)
    expect(await figures()).toEqual({ due: 0, failing: 0, unverified: 1 })
    await runHub()
    await change()
    await tellHub()
    expect(await figures()).toEqual({ due: 1, failing: 0, unverified: 0 })
    await runHub()
    expect(await figures()).toEqual({ due: 0, failing: 1, unverified: 0 })
    subscriber.close()
  })

  test('for five days ends its subscription', async () => {
    const subscriber = openSubscriber({ accept: () => new Response('', { status: 500 }) })
    const { topic, change } = await stage()
    await subscribe(topic, subscriber.url)
    await change()
    await runHub()
    advance(5 * DAY + 1000)
    await runHub()
    expect(await subscriptionsAt(subscriber.url)).toEqual([])
    subscriber.close()
  })

  test('by a redirect is followed nowhere', async () => {
    const elsewhere = openSubscriber()
    const subscriber = openSubscriber({ accept: () => Response.redirect(elsewhere.url, 307) })
    const { topic, change } = await stage()
    await subscribe(topic, subscriber.url)
    await change()
    await runHub()
    expect([subscriber.told.length, elsewhere.told.length]).toEqual([1, 0])
    expect((await only(subscriber.url))?.attempts).toBe(1)
    subscriber.close()
    elsewhere.close()
  })

  test('by silence holds up nobody else', async () => {
    config.webhookOpenHosts.push('silent.folkmoot.test')
    useResolver(async (name) => (name === 'silent.folkmoot.test' ? ['127.0.0.1'] : lookUp(name)))
    const gate = Promise.withResolvers<void>()
    const silent = openSubscriber({
      accept: async () => {
        await gate.promise
        return new Response()
      },
    })
    const subscriber = openSubscriber()
    const { topic, change } = await stage()
    const silentUrl = silent.url.replace('127.0.0.1', 'silent.folkmoot.test')
    try {
      for (let i = 0; i < 30; i += 1) await askTo('subscribe', topic, `${silentUrl}/${i}`)
      await subscribe(topic, subscriber.url)
      // Theirs are due first.
      await db
        .update(feedSubscriptions)
        .set({ pushedAt: new Date(nowMs()) })
        .where(eq(feedSubscriptions.callback, subscriber.url))
      await change()
      await tellHub()
      const hub = startHub({ pollMs: 20 })
      await until('the silent one has its share', () => silent.told.length >= 16)
      await until('the other one hears', () => subscriber.told.length === 1)
      expect(silent.told.length).toBe(16)
      gate.resolve()
      await until('the rest hears', () => silent.told.length === 30)
      await hub.stop()
    } finally {
      gate.resolve()
      config.webhookOpenHosts.pop()
      useResolver(lookUp)
      silent.close()
      subscriber.close()
    }
  })
})
