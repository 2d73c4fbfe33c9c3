import { log } from '@/core/log'
import { reasonOf } from '@/core/reason'
import { queueDb } from '@/db/client'
import { transaction } from '@/db/transaction'
import type { Result } from '../deliveries/attempt'
import { recordHealth } from './endpoint-health/record'
import { recordOutcomes } from './queries'

/**
 * Writes down what came of a batch of attempts. What one webhook's change or deletion holds up must not be lost for
 * the others, so each is tried alone where all together fail. Gives the ids of webhooks that were switched off by it.
 */
export async function recordResults(leaseOwner: string, results: Result[]): Promise<string[]> {
  try {
    return await recordTogether(leaseOwner, results)
  } catch (error) {
    const apart = [...Map.groupBy(results, ({ webhookId }) => webhookId).values()]
    if (apart.length === 1) throw error
    return recordApart(leaseOwner, apart.values())
  }
}

/** Two at a time: one that has to wait leaves a connection for the others. */
async function recordApart(leaseOwner: string, apart: Iterator<Result[]>): Promise<string[]> {
  const off: string[] = []
  const work = async () => {
    for (let next = apart.next(); !next.done; next = apart.next())
      try {
        off.push(...(await recordTogether(leaseOwner, next.value)))
      } catch (error) {
        log.warn('webhooks: cannot write down what came of some deliveries', reasonOf(error))
      }
  }
  await Promise.all([work(), work()])
  return off
}

/** All in one transaction: messages, log, and endpoint health. */
const recordTogether = (leaseOwner: string, results: Result[]): Promise<string[]> =>
  transaction(async (tx) => {
    const recorded = await recordOutcomes(tx, leaseOwner, results)
    const current = new Set(recorded.filter(({ isElsewhere }) => !isElsewhere).map(({ id }) => id))
    const ours = results.filter(({ messageId }) => current.has(messageId))
    return ours.length === 0 ? [] : recordHealth(tx, ours)
  }, queueDb)
