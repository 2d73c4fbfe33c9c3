import { randomBytes } from 'node:crypto'
import { config } from '@/config/config'
import { now } from '@/core/clock'
import { failpoint } from '@/core/failpoint'
import { newId } from '@/core/ids'
import { db, type Tx } from '@/db/client'
import { isRefused } from '@/db/conflicts'
import { transaction } from '@/db/transaction'
import type { Reply } from '@/outbound/fetch'
import { nextAttemptAt } from '@/outbound/retries'
import { broadcast } from '@/outbox/broadcast'
import { type Counts, countSubscriptions, deleteByKey, findId, upsertSubscription } from '../queries'
import { lockHost, type RequestRow } from '../requests/queries'
import { type Confided, openConfided, sealConfided } from '../sealed'
import { findTopic, type Topic } from '../topics'
import { ask, deny } from './ask'
import { type FreshFeed, freshFeed } from './fresh'
import { postponeRequest, takeRequest } from './queries'

/** Anybody can name any host: one who asks may have no more than this part of what a host, or all, may have. */
const SHARE = 1 / 5

const shareOf = (quota: number) => Math.max(1, Math.floor(quota * SHARE))

/** Whether there may be one more. Topics with filters are fewer: there is no end of them, and each is a feed to be made. */
function hasRoom({ topic }: { topic: string }, { ofHost, ofPair, ofAsker, all }: Counts): boolean {
  const { subscriptions, subscriptionsPerHost, filteredSubscriptionsPerHost } = config.quotas
  const isFiltered = topic.includes('?')
  return (
    all < subscriptions &&
    ofAsker < shareOf(subscriptions) &&
    ofHost.all < subscriptionsPerHost &&
    ofPair.all < shareOf(subscriptionsPerHost) &&
    (!isFiltered ||
      (ofHost.filtered < filteredSubscriptionsPerHost &&
        ofPair.filtered < shareOf(filteredSubscriptionsPerHost)))
  )
}

/** Retries an unreachable callback, but not for long: an attacker may have named a foreign host. */
const ATTEMPTS_MAX = 3
const CHALLENGE_BYTES = 24

/** Verifies a subscription request with its callback (WebSub, 5.3), and applies it if confirmed. */
export async function verify(request: RequestRow, lease: { owner: string }): Promise<number> {
  await askCallback(request, lease.owner)
  return 0
}

async function askCallback(request: RequestRow, owner: string): Promise<void> {
  const confided = openConfided(request)
  const topic = confided && (await findTopic(confided.written))
  if (!confided) return void (await takeRequest(db, request.id, owner))
  if (!topic) return refuse(request, owner, confided, 'There is no such feed')
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
  const reply = await ask(
    request.callback,
    wordsOf(request, confided, challenge),
    challenge.length + 1,
  ).catch(() => null)
  failpoint('after-verification')
  if (confirms(reply, challenge)) return confirm(request, owner, confided, topic)
  const nextAt = mayComeLater(reply) ? nextTime(request) : null
  if (nextAt) await postponeRequest(db, request, owner, nextAt)
  else await takeRequest(db, request.id, owner)
}

const wordsOf = ({ mode, leaseSeconds }: RequestRow, { written }: Confided, challenge: string) => ({
  'hub.mode': mode,
  'hub.topic': written,
  'hub.challenge': challenge,
  ...(mode === 'subscribe' && { 'hub.lease_seconds': String(leaseSeconds) }),
})

/** Only 2xx and nothing but the challenge: many servers answer 200 to anything. */
const confirms = (reply: Reply | null, challenge: string) =>
  reply !== null &&
  reply.status >= 200 &&
  reply.status < 300 &&
  Buffer.from(reply.body).equals(Buffer.from(challenge))

const mayComeLater = (reply: Reply | null) => reply === null || reply.status >= 500 || reply.status === 429

const nextTime = ({ attempts }: RequestRow) =>
  attempts + 1 < ATTEMPTS_MAX ? nextAttemptAt(attempts + 1, now(), null) : null

async function confirm(request: RequestRow, owner: string, confided: Confided, topic: Topic): Promise<void> {
  if (request.mode === 'unsubscribe')
    return transaction(async (tx) => {
      if (await takeRequest(tx, request.id, owner)) await deleteByKey(tx, request.key)
    })
  const feed = await feedOf(topic)
  const isFull = await transaction((tx) => begin(tx, request, owner, confided, feed))
  if (isFull) await deny(request.callback, confided.written, 'There are too many subscriptions')
}

/** What the subscriber has seen is taken to be what the feed shows now. */
async function feedOf(topic: Topic): Promise<FreshFeed | null> {
  try {
    return await freshFeed(topic, performance.now())
  } catch (error) {
    // It has just vanished: the first push finds out.
    if (isRefused(error)) return null
    throw error
  }
}

/** Says whether there is no room for it. A change that came before it was there is found by a first look. */
async function begin(tx: Tx, request: RequestRow, owner: string, confided: Confided, feed: FreshFeed | null) {
  await lockHost(tx, request.callbackHost)
  if (!(await takeRequest(tx, request.id, owner))) return false
  const known = await findId(tx, request.key)
  if (known === undefined && !hasRoom(request, await countSubscriptions(tx, request))) return true
  const id = known ?? newId()
  const { key, asker, topic, feedTokenId, userId, groupId, callback, callbackHost, leaseSeconds } = request
  await upsertSubscription(tx, {
    id,
    key,
    asker,
    topic,
    feedTokenId,
    userId,
    groupId,
    callback,
    callbackHost,
    sealed: sealConfided(id, confided),
    expiresAt: new Date(now().getTime() + leaseSeconds * 1000),
    etag: feed?.etag ?? null,
    bytes: feed?.bytes.length ?? 0,
    dueAt: now(),
  })
  broadcast(tx, { type: 'feeds.due', data: {} })
  return false
}

async function refuse(request: RequestRow, owner: string, { written }: Confided, reason: string) {
  await deny(request.callback, written, reason)
  await takeRequest(db, request.id, owner)
}
