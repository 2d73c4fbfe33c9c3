import { now, nowMs } from '@/core/clock'
import { failpoint } from '@/core/failpoint'
import { newId } from '@/core/ids'
import { counters } from '@/core/metrics'
import { traceparent } from '@/core/trace'
import { db } from '@/db/client'
import { isRefused } from '@/db/conflicts'
import { postOutside, type Reply } from '@/outbound/fetch'
import { GIVE_UP_MS, nextAttemptAt } from '@/outbound/retries'
import { hubUrl } from '../../hub'
import { CONTENT_TYPES } from '../../send'
import type { SubscriptionRow } from '../queries'
import { type Confided, openConfided } from '../sealed'
import { findTopic, type Topic } from '../topics'
import { AGENT, deny } from './ask'
import { type FreshFeed, freshFeed } from './fresh'
import { endSubscription, LEASE_MS, type Lease, postpone, renewLease, settle } from './queries'

const TIMEOUT_MS = 10_000
/** So many attempts are made within about a day. */
const ATTEMPTS_MAX = 7

const pushes = counters(
  'folkmoot_feed_pushes_total',
  'Feeds sent to subscribers, by whether the subscriber took it.',
  'outcome',
  ['success', 'failure'],
)

/**
 * Sends a subscriber the feed as it is now (WebSub, 7), unless they have it or it is not theirs to see any more. Says how
 * many bytes were sent.
 */
export async function push(subscription: SubscriptionRow, lease: Lease): Promise<number> {
  const confided = openConfided(subscription)
  if (!confided) {
    await endSubscription(db, subscription.id, lease.owner)
    return 0
  }
  const topic = await findTopic(confided.written)
  const feed = topic && (await shownFeed(topic, lease.claimedAt))
  if (!topic || !feed) return end(subscription, lease, confided)
  const ours = await renewLease(db, subscription.id, lease.owner, new Date(nowMs() + LEASE_MS))
  if (!ours) return 0
  if (!ours.isShown) return end(subscription, lease, confided)
  if (feed.etag === subscription.etag) {
    await settle(db, subscription, lease.owner, { at: now() })
    return 0
  }
  const reply = await send(subscription, topic, feed, confided.secret)
  failpoint('after-push')
  await record(subscription, lease, feed, reply)
  return feed.bytes.length
}

/** Null when whoever read it now would find nothing. */
async function shownFeed(topic: Topic, since: number): Promise<FreshFeed | null> {
  try {
    return await freshFeed(topic, since)
  } catch (error) {
    if (isRefused(error)) return null
    throw error
  }
}

/** The feed is gone, hidden, or has another address: the subscription has nothing to be for. */
async function end(
  { id, callback }: SubscriptionRow,
  { owner }: Lease,
  { written }: Confided,
): Promise<number> {
  await deny(callback, written, 'The feed is no longer there')
  await endSubscription(db, id, owner)
  return 0
}

const send = (
  { callback }: SubscriptionRow,
  { format }: Topic,
  { bytes, self }: FreshFeed,
  secret: string | null,
): Promise<Reply | null> =>
  postOutside({
    url: callback,
    headers: {
      'content-type': CONTENT_TYPES[format],
      'user-agent': AGENT,
      traceparent: traceparent(newId()),
      link: `<${hubUrl()}>; rel="hub", <${self}>; rel="self"`,
      ...(secret !== null && { 'x-hub-signature': `sha256=${signatureOf(bytes, secret)}` }),
    },
    body: bytes,
    timeoutMs: TIMEOUT_MS,
    bytesMax: 0,
  }).catch(() => null)

const signatureOf = (bytes: Uint8Array, secret: string) =>
  new Bun.CryptoHasher('sha256', secret).update(bytes).digest('hex')

async function record(
  subscription: SubscriptionRow,
  { owner }: Lease,
  feed: FreshFeed,
  reply: Reply | null,
): Promise<void> {
  const at = now()
  const isTaken = reply !== null && reply.status >= 200 && reply.status < 300
  pushes[isTaken ? 'success' : 'failure'].value += 1
  if (isTaken) return void (await settle(db, subscription, owner, { at, feed }))
  const { id, attempts, failingSince } = subscription
  if (reply?.status === 410 || (failingSince && at.getTime() - failingSince.getTime() >= GIVE_UP_MS))
    return void (await endSubscription(db, id, owner))
  await postpone(db, subscription, owner, { at, nextAt: nextTime(attempts + 1, at, reply), feed })
}

/** Null when it is given up: the next change is another push. */
function nextTime(attempts: number, at: Date, reply: Reply | null): Date | null {
  if (attempts >= ATTEMPTS_MAX) return null
  return nextAttemptAt(attempts, at, reply?.headers.get('retry-after') ?? null)
}
