import { and, eq, gt, or, sql } from 'drizzle-orm'
import type { Tx } from '@/db/client'
import { isOneOf } from '@/db/comparisons'
import { webhooks } from '@/db/tables/webhooks'
import type { WebhookRow } from '@/modules/developers/webhooks/queries'

/**
 * Holds endpoints whose health changes, in one order, so that two workers with the same ones wait for each other in
 * turn. Most simply work, and are not among them.
 */
export const lockEndpoints = (
  tx: Tx,
  webhookIds: string[],
  failingIds: string[],
): Promise<{ id: string }[]> =>
  tx
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(
      and(isOneOf(webhooks.id, webhookIds), or(gt(webhooks.failures, 0), isOneOf(webhooks.id, failingIds))),
    )
    .orderBy(webhooks.id)
    .for('no key update')

/** Endpoints that had failed before and work again begin anew. */
export const forgetFailures = (tx: Tx, webhookIds: string[]) =>
  tx
    .update(webhooks)
    .set({ failures: 0, failingSince: null })
    .where(isOneOf(webhooks.id, webhookIds))
    .execute()

export type Failing = { webhookId: string; afterSuccess: boolean; failures: number; since: Date }

/** Failures count since the last success. Gives the webhook as it is now. */
export async function countFailures(
  tx: Tx,
  { webhookId, afterSuccess, failures, since }: Failing,
): Promise<WebhookRow | undefined> {
  const [row] = await tx
    .update(webhooks)
    .set(
      afterSuccess
        ? { failures, failingSince: since }
        : {
            failures: sql`${webhooks.failures} + ${failures}`,
            failingSince: sql`coalesce(${webhooks.failingSince}, ${since.toISOString()}::timestamptz)`,
          },
    )
    .where(eq(webhooks.id, webhookId))
    .returning()
  return row
}
