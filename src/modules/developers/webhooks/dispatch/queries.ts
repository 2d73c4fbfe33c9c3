import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Role } from '@/core/caller'
import type { Db, Tx } from '@/db/client'
import { isOneOf } from '@/db/comparisons'
import { users } from '@/db/tables/users'
import { webhookMessages, webhooks } from '@/db/tables/webhooks'
import type { Result } from '../deliveries/attempt'
import { isReceiving, type MessageRow, type WebhookRow } from '../queries'

export type Claimed = Pick<MessageRow, 'id' | 'webhookId' | 'body' | 'attempts'>

/** Begins the name of a dispatcher in the heartbeats. */
const PREFIX = 'webhooks '
/** How long a dispatcher may be silent before its leases are free. */
export const SILENT_MS = 5000

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
  /** How many of each receiver's are claimed already. */
  claimed: Record<string, number>
}

/**
 * Takes messages that are due, a few for each receiver, so that one that is slow or has a long queue keeps nobody
 * else waiting. Receivers with something pending are found by walking from one to the next in the index. Nobody waits
 * for the disk: a lease that the database forgets in a crash means that a message is sent again, and no more.
 *
 * Messages are looked up by id in ways that leave the planner no choice (a lateral lock, an array): in a join it would
 * begin with whatever was few when the table was last looked at. Those that are due have an order that no other index
 * knows, and sorting is not allowed on these connections.
 */
export const claimDue = async (db: Db, claim: Claim): Promise<Claimed[]> =>
  (await db.execute(claiming(claim))) as unknown as Claimed[]

export function claiming(claim: Claim): SQL {
  const at = claim.at.toISOString()
  const isFree = sql`(lease_until is null or lease_until <= ${at}::timestamptz or lease_owner = any((select owners from silent)::uuid[]))`
  return sql`
    with recursive silent as (
      select array(select substr(worker, ${PREFIX.length + 1}::int)::uuid from heartbeats
        where starts_with(worker, ${PREFIX}::text) and at < now() - ${SILENT_MS}::int * interval '1 millisecond') as owners
    ), waiting as (
      (select webhook_id from webhook_messages where status = 'pending' order by webhook_id, next_attempt_at limit 1)
      union all
      select (select webhook_id from webhook_messages
        where status = 'pending' and webhook_id > waiting.webhook_id order by webhook_id, next_attempt_at limit 1)
      from waiting where waiting.webhook_id is not null
    ), receivers as (
      select webhook.id, webhook.failures >= ${claim.failingAfter} as failing,
        case when webhook.failures < ${claim.failingAfter}
          then ${claim.each}::int - coalesce((${JSON.stringify(claim.claimed)}::jsonb ->> webhook.id::text)::int, 0)
          -- What is in flight was claimed first, so it is among the first: another worker may have it.
          when exists (select 1 from (
            select lease_until, lease_owner from webhook_messages
            where webhook_id = webhook.id and status = 'pending' order by next_attempt_at limit 20
          ) first where not ${isFree}) then 0
          else 1 end as room
      from waiting join webhooks webhook on webhook.id = waiting.webhook_id and webhook.is_active
        join users owner on owner.id = webhook.owner_id and owner.suspended_at is null
    ), due as (
      select message.id, receivers.failing, row_number() over (
        partition by receivers.failing order by message.place, message.next_attempt_at) as turn
      from receivers cross join lateral (
        select id, next_attempt_at, row_number() over (order by next_attempt_at) as place from webhook_messages
        where webhook_id = receivers.id and status = 'pending' and next_attempt_at <= ${at}::timestamptz
          and ${isFree}
        order by next_attempt_at limit greatest(receivers.room, 0)
      ) message
    ), taken as (
      select message.id from due cross join lateral (
        select id from webhook_messages
        where id = due.id and next_attempt_at <= ${at}::timestamptz
          and ${isFree}
        for update skip locked
      ) message
      where (select set_config('synchronous_commit', 'off', true)) is not null
        and due.turn <= case when due.failing then ${claim.failingLimit}::int else ${claim.limit}::int end
    )
    update webhook_messages message
    set lease_owner = ${claim.leaseOwner}::uuid, lease_until = ${claim.leaseUntil.toISOString()}::timestamptz
    where message.id = any(array(select id from taken))
    returning message.id, message.webhook_id as "webhookId", message.body, message.attempts`
}

export type ReceiverRow = WebhookRow & { ownerRole: Role }

/** Those of them that get anything at all. */
export const findReceivers = (db: Db, ids: string[]): Promise<ReceiverRow[]> =>
  db
    .select({ ...getTableColumns(webhooks), ownerRole: users.role })
    .from(webhooks)
    .innerJoin(users, isReceiving)
    .where(isOneOf(webhooks.id, ids))

export type Recorded = { id: string; isElsewhere: boolean }

/**
 * Writes down what came of messages and logs the attempts, as far as the lease is still ours: one that ran out belongs to
 * the dispatcher that claimed the message next, whose result counts. One statement, whatever the number. Gives those that
 * were ours, and whether the webhook has another address by now: a failure there is none of the new one's.
 */
export const recordOutcomes = async (tx: Tx, leaseOwner: string, results: Result[]): Promise<Recorded[]> =>
  (await tx.execute(recordingOutcomes(leaseOwner, results))) as unknown as Recorded[]

export const recordingOutcomes = (leaseOwner: string, results: Result[]): SQL => sql`
    with sent as (
      select * from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as sent(
        "attemptId" uuid, "messageId" uuid, "webhookId" uuid, url text, attempt int, "statusCode" int,
        success boolean, error text, "durationMs" int, "attemptedAt" timestamptz, "nextAttemptAt" timestamptz)
    ), alive as materialized (
      -- First the webhook, then its messages, as in deleting one: nobody waits for somebody who waits for them.
      select id, url from webhooks where id in (select "webhookId" from sent) order by id for key share
    ), result as (
      select "attemptId", "messageId", "webhookId", attempt, "statusCode", success, error, "durationMs",
        "attemptedAt", alive.url <> sent.url as elsewhere,
        case when not success and alive.url <> sent.url then "attemptedAt" else "nextAttemptAt" end
          as "nextAttemptAt"
      from sent join alive on alive.id = "webhookId"
    ), settled as (
      update webhook_messages message set
        status = case when success then 'succeeded'
          when "nextAttemptAt" is null and message.next_attempt_at <= "attemptedAt" then 'failed'
          else 'pending' end,
        attempts = attempt,
        -- Somebody may have asked for another attempt while this one was under way.
        next_attempt_at = case when success then null
          when message.next_attempt_at > "attemptedAt" then message.next_attempt_at
          else "nextAttemptAt" end,
        lease_owner = null, lease_until = null
      from result
      where message.id = any(array(select "messageId" from sent)) and message.id = "messageId"
        and message.lease_owner = ${leaseOwner}::uuid
      returning message.id, elsewhere
    ), logged as (
      insert into webhook_attempts (id, message_id, webhook_id, attempt, status_code, success, error, duration_ms,
        attempted_at, next_attempt_at)
      select "attemptId", "messageId", "webhookId", attempt, "statusCode", success, error, "durationMs",
        "attemptedAt", "nextAttemptAt"
      from result join settled on settled.id = "messageId"
    )
    select id, elsewhere as "isElsewhere" from settled`

/** By the clock of the database, which is the same for all dispatchers. */
export const recordHeartbeat = (db: Db, leaseOwner: string) =>
  db.execute(sql`insert into heartbeats (worker, at) values (${PREFIX + leaseOwner}::text, now())
    on conflict (worker) do update set at = excluded.at`)

export const deleteHeartbeat = (db: Db, leaseOwner: string) =>
  db.execute(sql`delete from heartbeats where worker = ${PREFIX + leaseOwner}::text`)

/** Gives back what was taken and not begun: others need not wait until the leases run out. */
export const releaseLeases = (db: Db, leaseOwner: string, messageIds: string[]) =>
  db
    .update(webhookMessages)
    .set({ leaseOwner: null, leaseUntil: null })
    .where(and(isOneOf(webhookMessages.id, messageIds), eq(webhookMessages.leaseOwner, leaseOwner)))
