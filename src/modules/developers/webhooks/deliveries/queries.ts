import { and, desc, eq, inArray, lt, lte, notInArray, or, sql } from 'drizzle-orm'
import { WORDED } from '@/core/domain-events'
import type { Db, Tx } from '@/db/client'
import { is, isNot } from '@/db/comparisons'
import { deleteInSlices, SLICE } from '@/db/delete-in-slices'
import { filters } from '@/db/statement-names'
import { users } from '@/db/tables/users'
import { webhookAttempts, webhookMessages, webhooks } from '@/db/tables/webhooks'
import { isReceiving, type MessageRow } from '../queries'
import type { Result } from './attempt'

export type AttemptRow = typeof webhookAttempts.$inferSelect

export const insertMessage = (tx: Tx, row: typeof webhookMessages.$inferInsert) =>
  tx.insert(webhookMessages).values(row).execute()

export const insertAttempt = (tx: Tx, { attemptId, url: _url, isGone: _isGone, ...row }: Result) =>
  tx
    .insert(webhookAttempts)
    .values({ id: attemptId, ...row })
    .execute()

/** What waits for a webhook that is off, or whose owner is suspended, waits as long as what is done is kept. */
export const deleteOldMessages = (db: Db, before: Date) =>
  deleteInSlices(db, webhookMessages, {
    old: lt(webhookMessages.createdAt, before),
    by: [webhookMessages.createdAt, webhookMessages.id],
    only: or(
      isNot(webhookMessages.status, 'pending'),
      notInArray(webhookMessages.webhookId, receivingWebhooks(db)),
    ),
  })

/** As the partial index says it. */
const isWorded = sql.raw(`event_type in (${WORDED.map((type) => `'${type}'`).join(', ')})`)
const whose = sql`(${webhookMessages.body}::jsonb #>> '{data,userId}')`

/** Takes a person's words out of what others were told, or were to be told. */
export const deleteWordsTold = (tx: Tx, userId: string) =>
  tx.delete(webhookMessages).where(sql`${isWorded} and ${whose} = ${userId}`).execute()

/** The same for people who are gone, a slice at a time: the release before this one wrote such messages while it erased them. */
export async function deleteWordsToldOfTheGone(db: Db): Promise<void> {
  const slice = sql`select ${webhookMessages.id} from ${webhookMessages} where ${isWorded}
    and not exists (select 1 from ${users} where ${users.id}::text = ${whose}) limit ${SLICE}::int`
  for (let gone = SLICE; gone === SLICE; )
    gone = (
      await db
        .delete(webhookMessages)
        .where(sql`${webhookMessages.id} = any(array(${slice}))`)
        .returning({ id: webhookMessages.id })
    ).length
}

export const deleteMessagesOf = (db: Db, webhookId: string) =>
  deleteInSlices(db, webhookMessages, {
    old: eq(webhookMessages.webhookId, webhookId),
    by: [webhookMessages.createdAt, webhookMessages.id],
  })

export const listAttempts = (
  db: Db,
  webhookId: string,
  success: boolean | undefined,
  limit: number,
): Promise<(AttemptRow & { eventType: string; body: string })[]> =>
  db
    .select({
      id: webhookAttempts.id,
      messageId: webhookAttempts.messageId,
      webhookId: webhookAttempts.webhookId,
      attempt: webhookAttempts.attempt,
      statusCode: webhookAttempts.statusCode,
      success: webhookAttempts.success,
      error: webhookAttempts.error,
      durationMs: webhookAttempts.durationMs,
      attemptedAt: webhookAttempts.attemptedAt,
      nextAttemptAt: webhookAttempts.nextAttemptAt,
      eventType: webhookMessages.eventType,
      body: webhookMessages.body,
    })
    .from(webhookAttempts)
    .innerJoin(webhookMessages, eq(webhookMessages.id, webhookAttempts.messageId))
    .where(
      and(
        eq(webhookAttempts.webhookId, webhookId),
        filters(success === undefined ? undefined : eq(webhookAttempts.success, success)),
      ),
    )
    .orderBy(desc(webhookAttempts.attemptedAt), desc(webhookAttempts.id))
    .limit(limit)

export const listPending = (db: Db, webhookId: string, limit: number): Promise<MessageRow[]> =>
  db
    .select()
    .from(webhookMessages)
    .where(and(eq(webhookMessages.webhookId, webhookId), is(webhookMessages.status, 'pending')))
    .orderBy(webhookMessages.nextAttemptAt)
    .limit(limit)

/** An attempt more, now, whatever became of the message. One that is being sent is left alone. */
export async function retryMessage(tx: Tx, webhookId: string, messageId: string, at: Date): Promise<boolean> {
  const found = await tx
    .update(webhookMessages)
    .set({ status: 'pending', nextAttemptAt: at })
    .where(and(eq(webhookMessages.id, messageId), eq(webhookMessages.webhookId, webhookId)))
    .returning({ id: webhookMessages.id })
  return found.length > 0
}

const receivingWebhooks = (db: Db) =>
  db.select({ id: webhooks.id }).from(webhooks).innerJoin(users, isReceiving)

/** What is due now, and what was given up. */
export const countDeliveries = async (db: Db, at: Date) => ({
  due: await db.$count(
    webhookMessages,
    and(
      is(webhookMessages.status, 'pending'),
      lte(webhookMessages.nextAttemptAt, at),
      inArray(webhookMessages.webhookId, receivingWebhooks(db)),
    ),
  ),
  dead: await db.$count(webhookMessages, is(webhookMessages.status, 'failed')),
})

/** A tenth of what a statement may take, even where the machine is busy; what came of each message goes with it. */
const MESSAGES = 2000

/**
 * Deletes the next messages of a webhook and gives the time at which the last of them was made. The moment is where the next look
 * begins: what this change has deleted already would have to be passed over each time.
 */
export async function deleteMessages(tx: Tx, webhookId: string, from: string): Promise<string | null> {
  const [row] = await tx.execute<{ last: string | null }>(sql`
    with portion as (
      select id, created_at from webhook_messages where webhook_id = ${webhookId} and created_at >= ${from}::timestamptz
      order by created_at limit ${MESSAGES}::int
    ), gone as (delete from webhook_messages where id = any(array(select id from portion)))
    select max(created_at)::text as last from portion`)
  return row?.last ?? null
}
