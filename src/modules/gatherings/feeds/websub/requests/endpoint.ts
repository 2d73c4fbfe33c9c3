import { config } from '@/config/config'
import { now } from '@/core/clock'
import { badRequest, invalidField, rateLimited } from '@/core/errors'
import { newId } from '@/core/ids'
import { explain } from '@/db/conflicts'
import { transaction } from '@/db/transaction'
import { clientAddress } from '@/http/address'
import { readFormPairs } from '@/http/form-body'
import { chargeAll } from '@/http/limits/hourly'
import { type Budget, secondsLeft } from '@/http/limits/limiter'
import { respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { broadcast } from '@/outbox/broadcast'
import { sealConfided } from '../sealed'
import { findTopic } from '../topics'
import { countPending, insertRequest, lockHost, type NewRequest } from './queries'
import { readAsked } from './read'

/** Requests that wait for a callback: of one asker for one host, for one host, and all together. */
const PENDING_MAX = { ofAsker: 100, ofHost: 1000, all: 10_000 }
const FULL_SECONDS = 60
const HEADERS = { 'cache-control': 'no-store' }

/**
 * Takes a request to subscribe or unsubscribe (WebSub, 5.1). Nothing comes of it until the callback has confirmed it: a
 * stranger can neither begin, renew nor end what is another's.
 */
export async function askForSubscription(visit: Visit): Promise<Response> {
  await chargeAsker(visit)
  if (!config.hub.isOwn) throw badRequest('This server is no hub: its feeds name another or none')
  const asked = await readAsked(await readFormPairs(visit.request))
  const topic = await findTopic(asked.written)
  if (!topic) throw noTopic()
  const key = keyOf(topic.topic, topic.feedTokenId, asked.callback)
  await chargeHost(visit, asked.callbackHost, key)
  const id = newId()
  await keepRequest({
    id,
    mode: asked.mode,
    key,
    asker: askerOf(visit),
    topic: topic.topic,
    feedTokenId: topic.feedTokenId,
    userId: topic.userId,
    groupId: topic.groupId,
    callback: asked.callback,
    callbackHost: asked.callbackHost,
    sealed: sealConfided(id, asked),
    leaseSeconds: asked.leaseSeconds,
    dueAt: now(),
    createdAt: now(),
  })
  return respond(visit, 202, null, HEADERS)
}

const noTopic = () => invalidField('hub.topic', 'must be the address of a feed of this server')

const keyOf = (...parts: (string | null)[]): Uint8Array =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(parts)).digest()

const keepRequest = (request: NewRequest) =>
  transaction(async (tx) => {
    await lockHost(tx, request.callbackHost)
    const pending = await countPending(tx, request)
    if (
      pending.ofAsker >= PENDING_MAX.ofAsker ||
      pending.ofHost >= PENDING_MAX.ofHost ||
      pending.all >= PENDING_MAX.all
    )
      throw rateLimited(FULL_SECONDS)
    // The token may have been rotated just now.
    await insertRequest(tx, request).catch(
      explain({ feed_subscription_requests_feed_token_id_feed_tokens_id_fk: noTopic }),
    )
    broadcast(tx, { type: 'feeds.due', data: {} })
  })

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Of one address: questions to the same host, and about the same subscription. Somebody else's limit is another. */
const PER_MINUTE = { ofHost: 60, ofSubscription: 5 }
/** Anybody can name any host, so all who name the same have many times as much as one of them. */
const ALL_TOGETHER = 30

/** Another request from this address. */
const chargeAsker = (visit: Visit) =>
  take(visit, [hourly(`websub:${clientAddress(visit.request)}`, config.rateLimits.websubPerHour)])

/** Another question to this host: we are no tool with which to keep somebody busy. */
function chargeHost(visit: Visit, host: string, subscription: Uint8Array): Promise<void> {
  const address = clientAddress(visit.request)
  const name = Buffer.from(subscription).toString('base64url')
  return take(visit, [
    { key: `websub-same:${address}:${name}`, limit: PER_MINUTE.ofSubscription, windowMs: MINUTE_MS },
    { key: `websub-pair:${address}:${host}`, limit: PER_MINUTE.ofHost, windowMs: MINUTE_MS },
    hourly(`websub-host:${host}`, config.rateLimits.websubPerHour * ALL_TOGETHER),
  ])
}

const hourly = (key: string, limit: number): Budget => ({ key, limit, windowMs: HOUR_MS })

async function take(visit: Visit, budgets: Budget[]): Promise<void> {
  const { verdict } = await chargeAll(budgets)
  if (verdict.allowed) return
  visit.budget = verdict
  throw rateLimited(secondsLeft(verdict))
}

/** One who asks is told apart from others without keeping their address. */
const askerOf = ({ request }: Visit): Uint8Array =>
  new Bun.CryptoHasher('sha256', config.secretKey).update(`websub\n${clientAddress(request)}`).digest()
