import { queueDb, type Tx } from '@/db/client'
import { emit } from '@/db/outbox'
import { transaction } from '@/db/transaction'
import type { Result } from '../deliveries/attempt'
import type { WebhookRow } from '../queries'
import { GIVE_UP_MS } from '../retries'
import { countFailures, type Failing, forgetFailures, settleMessages, switchOff } from './queries'

/**
 * Writes down what came of a batch of attempts, all in one transaction: messages, log, and how the receivers stand.
 * Gives the webhooks that were switched off by it.
 */
export const settle = (leaseOwner: string, results: Result[]): Promise<WebhookRow[]> =>
  transaction(async (tx) => {
    const settled = await settleMessages(tx, leaseOwner, results)
    const ours = results.filter(({ messageId }) => settled.has(messageId))
    const standings = [...Map.groupBy(ours, ({ webhookId }) => webhookId)]
    // In one order, so that two workers with the same receivers wait for each other in turn.
    standings.sort(([a], [b]) => (a < b ? -1 : 1))
    const sound = standings.filter(([, own]) => own.every(({ success }) => success)).map(([id]) => id)
    if (sound.length > 0) await forgetFailures(tx, sound)
    const off: WebhookRow[] = []
    for (const [webhookId, own] of standings) {
      const webhook = sound.includes(webhookId) ? undefined : await judge(tx, webhookId, own)
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
