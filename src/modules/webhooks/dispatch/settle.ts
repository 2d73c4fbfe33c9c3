import { queueDb, type Tx } from '@/db/client'
import { emit } from '@/db/outbox'
import { transaction } from '@/db/transaction'
import { log } from '@/log'
import type { Result } from '../deliveries/attempt'
import { keepPastRule, switchOff, type WebhookRow } from '../queries'
import { GIVE_UP_MS } from '../retries'
import { countFailures, type Failing, forgetFailures, lockStandings, settleMessages } from './queries'

/**
 * Writes down what came of a batch of attempts. What one webhook's change or deletion holds up must not be lost for
 * the others, so each is tried alone where all together fail. Gives the webhooks that were switched off by it.
 */
export async function settle(leaseOwner: string, results: Result[]): Promise<WebhookRow[]> {
  try {
    return await settleTogether(leaseOwner, results)
  } catch (error) {
    const apart = [...Map.groupBy(results, ({ webhookId }) => webhookId).values()]
    if (apart.length === 1) throw error
    return settleApart(leaseOwner, apart.values())
  }
}

/** Two at a time: one that has to wait leaves a connection for the others. */
async function settleApart(leaseOwner: string, apart: Iterator<Result[]>): Promise<WebhookRow[]> {
  const off: WebhookRow[] = []
  const work = async () => {
    for (let next = apart.next(); !next.done; next = apart.next())
      try {
        off.push(...(await settleTogether(leaseOwner, next.value)))
      } catch {
        log.warn('webhooks: cannot write down what came of some deliveries')
      }
  }
  await Promise.all([work(), work()])
  return off
}

/** All in one transaction: messages, log, and how the receivers stand. */
const settleTogether = (leaseOwner: string, results: Result[]): Promise<WebhookRow[]> =>
  transaction(async (tx) => {
    const settled = await settleMessages(tx, leaseOwner, results)
    const telling = new Set(settled.filter(({ isElsewhere }) => !isElsewhere).map(({ id }) => id))
    const ours = results.filter(({ messageId }) => telling.has(messageId))
    if (ours.length === 0) return []
    const standings = Map.groupBy(ours, ({ webhookId }) => webhookId)
    const failing = [...standings].filter(([, own]) => own.some(({ success }) => !success)).map(([id]) => id)
    const held = await lockStandings(tx, [...standings.keys()], failing)
    const recovered = held.map(({ id }) => id).filter((id) => !failing.includes(id))
    if (recovered.length > 0) await forgetFailures(tx, recovered)
    const off: WebhookRow[] = []
    for (const webhookId of failing) {
      const webhook = await judge(tx, webhookId, standings.get(webhookId) as Result[])
      if (webhook) off.push(webhook)
    }
    return off
  }, queueDb)

/** Five days of nothing but failures, or a receiver that says it is gone, end it. */
async function judge(tx: Tx, webhookId: string, results: Result[]): Promise<WebhookRow | undefined> {
  const inOrder = results.toSorted((a, b) => a.attemptedAt.getTime() - b.attemptedAt.getTime())
  const failing = failingOf(webhookId, inOrder)
  if (!failing) return void (await forgetFailures(tx, [webhookId]))
  const webhook = await countFailures(tx, failing)
  const isGone = results.some(({ statusCode }) => statusCode === 410)
  const last = inOrder.at(-1) as Result
  const since = webhook?.failingSince?.getTime() ?? last.attemptedAt.getTime()
  const isHopeless = last.attemptedAt.getTime() - since >= GIVE_UP_MS
  if (!webhook || !(isGone || isHopeless) || !(await switchOff(tx, webhookId))) return undefined
  // What had happened is written down for it, and is there once it is on again.
  await keepPastRule(tx, webhook)
  const reason = isGone ? 'It answered 410 Gone' : 'It failed for five days'
  await emit(tx, 'webhook.disabled', { webhookId, userId: webhook.ownerId, reason })
  return webhook
}

/** Only failures after the last success count; nothing when that came last. */
function failingOf(webhookId: string, inOrder: Result[]): Failing | undefined {
  const lastSuccess = inOrder.findLastIndex(({ success }) => success)
  const after = inOrder.slice(lastSuccess + 1)
  const [first] = after
  return (
    first && { webhookId, afterSuccess: lastSuccess >= 0, failures: after.length, since: first.attemptedAt }
  )
}
