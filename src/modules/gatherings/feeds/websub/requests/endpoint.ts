import { config } from '@/config/config'
import { now } from '@/core/clock'
import { badRequest, invalidField, rateLimited } from '@/core/errors'
import { newId } from '@/core/ids'
import { explain } from '@/db/conflicts'
import { transaction } from '@/db/transaction'
import { readFormPairs } from '@/http/form-body'
import { respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { broadcast } from '@/outbox/broadcast'
import { sealConfided } from '../sealed'
import { findTopic } from '../topics'
import { askerOf, chargeAsker, chargeHost } from './limits'
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
