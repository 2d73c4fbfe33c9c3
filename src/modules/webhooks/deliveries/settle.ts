import { newId } from '@/core/ids'
import type { Tx } from '@/db/client'
import { emit } from '@/db/outbox'
import { transaction } from '@/db/transaction'
import type { WebhookRow } from '../queries'
import { GIVE_UP_MS } from '../retries'
import {
  countFailures,
  insertAttempts,
  type Result,
  type Standing,
  settleMessages,
  switchOff,
} from './queries'

/**
 * Writes down what came of a batch of attempts, all in one transaction: messages, log, and how the receivers stand.
 * Gives the webhooks that were switched off by it.
 */
export const settle = (leaseOwner: string, results: Result[]): Promise<WebhookRow[]> =>
  transaction(async (tx) => {
    const settled = await settleMessages(tx, leaseOwner, results)
    const ours = results.filter(({ messageId }) => settled.has(messageId))
    if (ours.length === 0) return []
    await logAttempts(tx, ours)
    return judge(tx, ours)
  })

export const logAttempts = (tx: Tx, results: Result[]) =>
  insertAttempts(
    tx,
    results.map((result) => ({ id: newId(), ...result })),
  )

/** Five days of nothing but failures, or a receiver that says it is gone, end it. */
async function judge(tx: Tx, results: Result[]): Promise<WebhookRow[]> {
  const off: WebhookRow[] = []
  for (const webhook of await countFailures(tx, standingsOf(results))) {
    const of = results.filter(({ webhookId }) => webhookId === webhook.id)
    const isGone = of.some(({ statusCode }) => statusCode === 410)
    const last = of.at(-1) as Result
    const isHopeless =
      webhook.failingSince !== null &&
      !last.success &&
      last.attemptedAt.getTime() - webhook.failingSince.getTime() >= GIVE_UP_MS
    if (!(isGone || isHopeless) || !(await switchOff(tx, webhook.id))) continue
    const reason = isGone ? 'It answered 410 Gone' : 'It failed for five days'
    await emit(tx, 'webhook.disabled', { webhookId: webhook.id, userId: webhook.ownerId, reason })
    off.push(webhook)
  }
  return off
}

/** How each receiver fared, in the order in which it happened: only failures after the last success count. */
function standingsOf(results: Result[]): Standing[] {
  const standings = new Map<string, Standing>()
  const inOrder = results.toSorted((a, b) => a.attemptedAt.getTime() - b.attemptedAt.getTime())
  for (const { webhookId, success, attemptedAt } of inOrder) {
    const known = standings.get(webhookId) ?? {
      webhookId,
      succeeded: false,
      failures: 0,
      firstFailureAt: null,
    }
    standings.set(
      webhookId,
      success
        ? { webhookId, succeeded: true, failures: 0, firstFailureAt: null }
        : { ...known, failures: known.failures + 1, firstFailureAt: known.firstFailureAt ?? attemptedAt },
    )
  }
  return [...standings.values()]
}
