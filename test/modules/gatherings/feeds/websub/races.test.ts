import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { nowMs } from '@/core/clock'
import { newId } from '@/core/ids'
import { db, queueDb } from '@/db/client'
import { feedSubscriptionRequests, feedSubscriptions } from '@/db/tables/feed-subscriptions'
import { feedTokens } from '@/db/tables/feeds'
import { groups } from '@/db/tables/groups'
import { newFeedToken } from '@/modules/access/feed-tokens/secrets'
import { push } from '@/modules/gatherings/feeds/websub/dispatch/push'
import { claimPushes, claimRequests, LEASE_MS } from '@/modules/gatherings/feeds/websub/dispatch/queries'
import { verify } from '@/modules/gatherings/feeds/websub/dispatch/verify'
import { get, patch, post } from '../../../../support/api'
import { ownFeed } from '../../../../support/feeds'
import { makeCaller, makeEvent, makeStaffedGroup } from '../../../../support/make'
import {
  askTo,
  leaveNoSubscriptions,
  openSubscriber,
  runHub,
  subscribe,
  subscriptionsAt,
  tellHub,
} from '../../../../support/websub'

leaveNoSubscriptions()

async function stage() {
  const { group, owner } = await makeStaffedGroup(['manage:events'])
  const event = await makeEvent(group.id)
  const path = `/v1/manage/groups/${group.id}/events/${event.id}`
  return {
    group,
    event,
    topic: `/feeds/groups/${group.urlname}.atom`,
    change: (title: string) => patch(path, { token: owner.token, json: { title } }),
  }
}

const claimOf = (owner: string) => ({
  at: new Date(nowMs()),
  leaseOwner: owner,
  leaseUntil: new Date(nowMs() + LEASE_MS),
  limit: 10,
  each: 10,
  busy: {},
  allowed: { all: 1, ofHost: 1, ofHosts: {} },
})

/** Takes the push that is due, as a worker does. */
async function claimPush() {
  const owner = newId()
  const [subscription] = await claimPushes(queueDb, claimOf(owner), false)
  if (!subscription) throw new Error('nothing is due')
  return { subscription, lease: { owner, claimedAt: performance.now() } }
}

describe('what a worker has taken', () => {
  test('is not sent once the group is hidden, whatever caches say, and the subscription ends', async () => {
    const subscriber = openSubscriber()
    const { group, topic, change } = await stage()
    await subscribe(topic, subscriber.url)
    await change('Another')
    await tellHub()
    const { subscription, lease } = await claimPush()
    // Past all caches, as another process that has not told this one yet.
    expect((await get(topic)).status).toBe(200)
    await db.update(groups).set({ isListed: false }).where(eq(groups.id, group.id))
    await push(subscription, lease)
    expect(subscriber.told).toEqual([])
    expect(subscriber.asked.at(-1)?.query.get('hub.mode')).toBe('denied')
    expect(await subscriptionsAt(subscriber.url)).toEqual([])
    subscriber.close()
  })

  test('is not sent once the token is another, whatever caches say, and the subscription ends', async () => {
    const subscriber = openSubscriber()
    const { token, user } = await makeCaller(['user'])
    await subscribe(await ownFeed(token), subscriber.url)
    await db.update(feedSubscriptions).set({ dueAt: new Date(nowMs()) })
    const { subscription, lease } = await claimPush()
    await db.delete(feedTokens).where(eq(feedTokens.userId, user.id))
    await db.insert(feedTokens).values(newFeedToken(user.id).row)
    await push({ ...subscription, etag: 'another' }, lease)
    expect(subscriber.told).toEqual([])
    expect(subscriber.asked.at(-1)?.query.get('hub.mode')).toBe('denied')
    expect(await subscriptionsAt(subscriber.url)).toEqual([])
    subscriber.close()
  })

  test('is not sent once it is no longer there, or another worker has it', async () => {
    const subscriber = openSubscriber()
    const { topic, change } = await stage()
    await subscribe(topic, subscriber.url)
    await change('Another')
    await tellHub()
    const { subscription, lease } = await claimPush()
    await db.update(feedSubscriptions).set({ leaseOwner: newId() })
    await push(subscription, lease)
    await db.delete(feedSubscriptions)
    await push(subscription, lease)
    expect(subscriber.told).toEqual([])
    subscriber.close()
  })

  test('is taken by nobody else until the lease has run out', async () => {
    const subscriber = openSubscriber()
    const { topic, change } = await stage()
    await subscribe(topic, subscriber.url)
    await change('Another')
    await tellHub()
    await claimPush()
    expect(await claimPushes(queueDb, claimOf(newId()), false)).toEqual([])
    await db.update(feedSubscriptions).set({ leaseUntil: new Date(nowMs() - 1) })
    await runHub()
    expect(subscriber.told.length).toBe(1)
    subscriber.close()
  })

  test('of a request comes to nothing once the asker has asked for something else', async () => {
    const subscriber = openSubscriber()
    const { topic } = await stage()
    await askTo('subscribe', topic, subscriber.url)
    const owner = newId()
    const [request] = await claimRequests(queueDb, claimOf(owner))
    if (!request) throw new Error('nothing is due')
    await db.update(feedSubscriptionRequests).set({ id: newId() })
    await verify(request, { owner })
    expect(await subscriptionsAt(subscriber.url)).toEqual([])
    subscriber.close()
  })
})

describe('a new subscription', () => {
  test('is looked at once, so that nothing is missed that changed while it was made', async () => {
    const subscriber = openSubscriber()
    const { topic } = await stage()
    await askTo('subscribe', topic, subscriber.url)
    const owner = newId()
    const [request] = await claimRequests(queueDb, claimOf(owner))
    if (!request) throw new Error('nothing is due')
    await verify(request, { owner })
    expect((await subscriptionsAt(subscriber.url))[0]?.dueAt).not.toBeNull()
    await runHub()
    expect((await subscriptionsAt(subscriber.url))[0]?.dueAt).toBeNull()
    expect(subscriber.told).toEqual([])
    subscriber.close()
  })
})

describe('what happens', () => {
  test('lets only those be due whom it may concern', async () => {
    const [here, there] = [await stage(), await stage()]
    const guest = await makeCaller(['write:events'])
    const [of, all] = [openSubscriber(), openSubscriber()]
    await subscribe(here.topic, of.url)
    await subscribe('/feeds/events.atom', all.url)
    const isDue = async ({ url }: { url: string }) => {
      const [subscription] = await subscriptionsAt(url)
      if (!subscription) throw new Error('the subscription has ended')
      return subscription.dueAt !== null
    }
    const due = async () => [await isDue(of), await isDue(all)]
    // The first look at a new subscription may have been put off: the feed of everybody's events is made anew then.
    await tellHub()
    await db.update(feedSubscriptions).set({ dueAt: null })
    await post(`/v1/events/${here.event.id}/rsvp`, { token: guest.token, json: {} })
    await tellHub()
    expect(await due()).toEqual([false, false])
    await there.change('Another')
    await tellHub()
    expect(await due()).toEqual([false, true])
    await here.change('Another')
    await tellHub()
    expect(await due()).toEqual([true, true])
    of.close()
    all.close()
  })
})
