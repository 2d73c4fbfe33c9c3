import { and, desc, eq, gt, inArray, lt, lte, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { users } from '@/db/tables/users'
import { webhookAttempts, webhookMessages, webhooks } from '@/db/tables/webhooks'
import type { MessageRow, WebhookRow } from '../queries'

export type AttemptRow = typeof webhookAttempts.$inferSelect

export type Claimed = Pick<MessageRow, 'id' | 'webhookId' | 'body' | 'attempts'>

type Claim = {
  at: Date
  leaseOwner: string
  leaseUntil: Date
  /** How many messages at most, and how many of them for receivers that fail. */
  limit: number
  failingLimit: number
  /** How many for one receiver; one that keeps failing gets one at a time. */
  each: number
  failingAfter: number
  /** How many of each receiver's are in hand already. */
  inHand: Record<string, number>
}

/**
 * Takes messages that are due, a few for each receiver, so that one that is slow or has a long queue keeps nobody
 * else waiting. Receivers with something pending are found by walking from one to the next in the index.
 */
export async function claimDue(db: Db, claim: Claim): Promise<Claimed[]> {
  const at = claim.at.toISOString()
  const rows = await db.execute(sql`
    with recursive waiting as (
      (select webhook_id from webhook_messages where status = 'pending' order by webhook_id limit 1)
      union all
      select (select webhook_id from webhook_messages
        where status = 'pending' and webhook_id > waiting.webhook_id order by webhook_id limit 1)
      from waiting where waiting.webhook_id is not null
    ), receivers as (
      select webhook.id, webhook.failures >= ${claim.failingAfter} as failing,
        case when webhook.failures < ${claim.failingAfter}
          then ${claim.each}::int - coalesce((${JSON.stringify(claim.inHand)}::jsonb ->> webhook.id::text)::int, 0)
          -- Whatever is under way was taken first, so it is among the first: another worker may have it.
          when exists (select 1 from (
            select lease_until from webhook_messages
            where webhook_id = webhook.id and status = 'pending' order by next_attempt_at limit 20
          ) first where lease_until > ${at}::timestamptz) then 0
          else 1 end as room
      from waiting join webhooks webhook on webhook.id = waiting.webhook_id and webhook.is_active
    ), due as (
      select message.id, receivers.failing, row_number() over (
        partition by receivers.failing order by message.place, message.next_attempt_at) as turn
      from receivers cross join lateral (
        select id, next_attempt_at, row_number() over (order by next_attempt_at) as place from webhook_messages
        where webhook_id = receivers.id and status = 'pending' and next_attempt_at <= ${at}::timestamptz
          and (lease_until is null or lease_until <= ${at}::timestamptz)
        order by next_attempt_at limit greatest(receivers.room, 0)
      ) message
    ), taken as (
      select message.id from webhook_messages message join due on due.id = message.id
      where due.turn <= case when due.failing then ${claim.failingLimit}::int else ${claim.limit}::int end
      for update of message skip locked
    )
    update webhook_messages message
    set lease_owner = ${claim.leaseOwner}::uuid, lease_until = ${claim.leaseUntil.toISOString()}::timestamptz
    from taken where message.id = taken.id and message.status = 'pending'
      and (message.lease_until is null or message.lease_until <= ${at}::timestamptz)
    returning message.id, message.webhook_id as "webhookId", message.body, message.attempts`)
  return rows as unknown as Claimed[]
}

export const findReceivers = (db: Db, ids: string[]): Promise<WebhookRow[]> =>
  db.select().from(webhooks).where(inArray(webhooks.id, ids))

export type Result = {
  attemptId: string
  messageId: string
  webhookId: string
  attempt: number
  statusCode: number | null
  success: boolean
  error: string | null
  durationMs: number
  attemptedAt: Date
  nextAttemptAt: Date | null
}

/**
 * Writes down what came of messages and logs the attempts, as far as they are still ours: a lease that ran out
 * belongs to whoever took the message next, and their word counts. One statement, whatever the number. Gives the
 * ids that were ours.
 */
export async function settleMessages(tx: Tx, leaseOwner: string, results: Result[]): Promise<Set<string>> {
  const rows = await tx.execute(sql`
    with result as (
      select * from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as result(
        "attemptId" uuid, "messageId" uuid, "webhookId" uuid, attempt int, "statusCode" int, success boolean,
        error text, "durationMs" int, "attemptedAt" timestamptz, "nextAttemptAt" timestamptz)
    ), settled as (
      update webhook_messages message set
        status = case when success then 'succeeded' when "nextAttemptAt" is null then 'failed' else 'pending' end,
        attempts = attempt, next_attempt_at = case when success then null else "nextAttemptAt" end,
        lease_owner = null, lease_until = null
      from result where message.id = "messageId" and message.lease_owner = ${leaseOwner}::uuid
      returning message.id
    )
    insert into webhook_attempts (id, message_id, webhook_id, attempt, status_code, success, error, duration_ms,
      attempted_at, next_attempt_at)
    select "attemptId", "messageId", "webhookId", attempt, "statusCode", success, error, "durationMs",
      "attemptedAt", "nextAttemptAt"
    from result join settled on settled.id = "messageId"
    returning message_id as id`)
  return new Set((rows as unknown as { id: string }[]).map(({ id }) => id))
}

export const insertAttempt = (tx: Tx, { attemptId, ...row }: Result) =>
  tx
    .insert(webhookAttempts)
    .values({ id: attemptId, ...row })
    .execute()

/** Those that had failed before and work again begin anew; most simply work, and cost no write. */
export const forgetFailures = (tx: Tx, webhookIds: string[]) =>
  tx
    .update(webhooks)
    .set({ failures: 0, failingSince: null })
    .where(and(inArray(webhooks.id, webhookIds), gt(webhooks.failures, 0)))
    .execute()

export type Failing = { webhookId: string; afterSuccess: boolean; failures: number; since: Date }

/** Failures count since the last success. Gives the receiver as it stands now. */
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

export const switchOff = async (tx: Tx, webhookId: string): Promise<boolean> =>
  (
    await tx
      .update(webhooks)
      .set({ isActive: false })
      .where(and(eq(webhooks.id, webhookId), eq(webhooks.isActive, true)))
      .returning({ id: webhooks.id })
  ).length > 0

export const findOwnerAddresses = async (db: Db, ids: string[]): Promise<Map<string, string | null>> =>
  new Map(
    (await db.select({ id: users.id, email: users.email }).from(users).where(inArray(users.id, ids))).map(
      ({ id, email }) => [id, email],
    ),
  )

export const deleteOldMessages = (db: Db, before: Date) =>
  db
    .delete(webhookMessages)
    .where(
      and(
        lt(webhookMessages.createdAt, before),
        or(eq(webhookMessages.status, 'succeeded'), eq(webhookMessages.status, 'failed')),
      ),
    )

export const listAttempts = (
  db: Db,
  webhookId: string,
  success: boolean | undefined,
  limit: number,
): Promise<(AttemptRow & { eventType: string })[]> =>
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
    })
    .from(webhookAttempts)
    .innerJoin(webhookMessages, eq(webhookMessages.id, webhookAttempts.messageId))
    .where(
      and(
        eq(webhookAttempts.webhookId, webhookId),
        success === undefined ? undefined : eq(webhookAttempts.success, success),
      ),
    )
    .orderBy(desc(webhookAttempts.attemptedAt), desc(webhookAttempts.id))
    .limit(limit)

export const listPending = (db: Db, webhookId: string, limit: number): Promise<MessageRow[]> =>
  db
    .select()
    .from(webhookMessages)
    .where(and(eq(webhookMessages.webhookId, webhookId), eq(webhookMessages.status, 'pending')))
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

/** What is due now, and what was given up. */
export const countDeliveries = async (db: Db, at: Date) => ({
  due: await db.$count(
    webhookMessages,
    and(
      eq(webhookMessages.status, 'pending'),
      lte(webhookMessages.nextAttemptAt, at),
      inArray(
        webhookMessages.webhookId,
        db.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.isActive, true)),
      ),
    ),
  ),
  dead: await db.$count(webhookMessages, eq(webhookMessages.status, 'failed')),
})
