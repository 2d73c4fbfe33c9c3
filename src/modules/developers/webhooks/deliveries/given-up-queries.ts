import { desc, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { webhookMessages } from '@/db/tables/webhooks'

/** The last attempt in words, as its owner reads it. */
const lastError = sql<string | null>`(
  select coalesce(error, 'it answered ' || status_code) from webhook_attempts
  where message_id = webhook_messages.id order by attempted_at desc limit 1)`

export const listDeadMessages = (db: Db, limit: number) =>
  db
    .select({
      id: webhookMessages.id,
      webhookId: webhookMessages.webhookId,
      type: webhookMessages.eventType,
      attempts: webhookMessages.attempts,
      error: lastError,
      at: webhookMessages.createdAt,
    })
    .from(webhookMessages)
    .where(is(webhookMessages.status, 'failed'))
    .orderBy(desc(webhookMessages.createdAt))
    .limit(limit)

/** An attempt more for one of them, or for all where the id is null. */
export const reviveMessages = async (
  tx: Tx,
  id: string | null,
  { at, limit }: { at: Date; limit: number },
): Promise<number> =>
  (
    await tx.execute(sql`
      update webhook_messages set status = 'pending', next_attempt_at = ${at.toISOString()}::timestamptz
      where id = any(array(
        select id from webhook_messages
        where status = 'failed' and (${id}::uuid is null or id = ${id}::uuid) limit ${limit}::int for update
      ))
      returning id`)
  ).length
