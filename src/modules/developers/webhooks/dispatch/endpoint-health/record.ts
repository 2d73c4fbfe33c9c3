import type { Tx } from '@/db/client'
import type { Result } from '@/modules/developers/webhooks/deliveries/attempt'
import { reasonOf } from '@/modules/developers/webhooks/disabled-reasons'
import { keepPastRule } from '@/modules/developers/webhooks/fan-out/queries'
import { switchOff } from '@/modules/developers/webhooks/queries'
import { GIVE_UP_MS } from '@/outbound/retries'
import { emit } from '@/outbox/emit'
import { countFailures, type Failing, forgetFailures, lockEndpoints } from './queries'

/** Endpoint health after these results. Gives the ids of webhooks that were switched off by them. */
export async function recordHealth(tx: Tx, results: Result[]): Promise<string[]> {
  const byWebhook = Map.groupBy(results, ({ webhookId }) => webhookId)
  const failing = [...byWebhook].filter(([, own]) => own.some(({ success }) => !success)).map(([id]) => id)
  const held = await lockEndpoints(tx, [...byWebhook.keys()], failing)
  const recovered = held.map(({ id }) => id).filter((id) => !failing.includes(id))
  if (recovered.length > 0) await forgetFailures(tx, recovered)
  const off: string[] = []
  for (const webhookId of failing)
    if (await recordFailures(tx, webhookId, byWebhook.get(webhookId) as Result[])) off.push(webhookId)
  return off
}

/** Switches a webhook off after five days of nothing but failures, or an answer 410; says whether it did. */
async function recordFailures(tx: Tx, webhookId: string, results: Result[]): Promise<boolean> {
  const inOrder = results.toSorted((a, b) => a.attemptedAt.getTime() - b.attemptedAt.getTime())
  const failing = failingOf(webhookId, inOrder)
  if (!failing) {
    await forgetFailures(tx, [webhookId])
    return false
  }
  const webhook = await countFailures(tx, failing)
  const isGone = results.some((result) => result.isGone)
  const last = inOrder.at(-1) as Result
  const since = webhook?.failingSince?.getTime() ?? last.attemptedAt.getTime()
  const isHopeless = last.attemptedAt.getTime() - since >= GIVE_UP_MS
  if (!webhook || !(isGone || isHopeless)) return false
  const reason = isGone ? 'gone' : 'failing'
  if (!(await switchOff(tx, webhookId, reason))) return false
  // What had happened is written down for it, and is there once it is on again.
  await keepPastRule(tx, webhook)
  await emit(tx, 'webhook.disabled', { webhookId, userId: webhook.ownerId, reason: reasonOf(reason) })
  return true
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
