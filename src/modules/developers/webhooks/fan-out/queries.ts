import { and, isNull, lte, notExists, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { deleteInSlices } from '@/db/delete-in-slices'
import { outbox } from '@/db/tables/outbox'
import { webhookPastRules } from '@/db/tables/webhooks'
import type { WebhookRow } from '../queries'

/** Keeps the rule that held until now, for what has happened. Until it was made, a webhook got nothing. */
export const keepPastRule = (
  tx: Tx,
  { id, eventTypes, isActive }: Pick<WebhookRow, 'id' | 'eventTypes' | 'isActive'>,
) => tx.insert(webhookPastRules).values({ webhookId: id, eventTypes, isActive }).execute()

/** Deletes rules by which no domain event is left to be fanned out. */
export const deletePastRules = (db: Db) =>
  deleteInSlices(db, webhookPastRules, {
    old: sql`true`,
    by: [webhookPastRules.webhookId, webhookPastRules.place],
    only: notExists(
      db
        .select({ id: outbox.id })
        .from(outbox)
        .where(and(isNull(outbox.relayedAt), lte(outbox.createdAt, webhookPastRules.changedAt))),
    ),
  })

export type Addressed = {
  id: string
  type: string
  /** The event types of a webhook that this one matches. */
  patterns: string[]
  scope: string
  people: string[]
  groupId: string | null
  /** The event, where its domain events are public. */
  eventId: string | null
  body: string
}

/**
 * Writes a message for each webhook that gets a domain event: the owner's own, those of groups that the owner runs, what is
 * public, and for an administrator all of it; always within the scopes of the credential that made the webhook, and by the
 * rule that held when it happened. Everything is looked up one domain event at a time, in ways that leave the planner no
 * choice: in a join it might read through all there is.
 */
export const insertMessages = async (tx: Tx, events: Addressed[], at: Date): Promise<number> =>
  (await tx.execute(insertingMessages(events, at))).length

export const insertingMessages = (events: Addressed[], at: Date): SQL => sql`
    with emitted as materialized (
      select event.*, written.xid, written.created_at from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
        as event(id uuid, type text, body text, patterns text[], scope text, people uuid[], "groupId" uuid, "eventId" uuid)
        cross join lateral (select xid, created_at from outbox where id = event.id limit 1) written
    ), audience as (
      select id, person as owner_id, false as by_office from emitted, unnest(people) as person
      union
      select emitted.id, member.user_id, false from emitted cross join lateral (
        select user_id from group_members where group_id = emitted."groupId" and role in ('owner', 'manager') offset 0
      ) member
      union
      select emitted.id, administrator.id, true from emitted, users administrator where administrator.role = 'admin'
    ), public as (
      select emitted.id, emitted.patterns from emitted cross join lateral (
        select group_id, status from events where id = emitted."eventId" limit 1
      ) event cross join lateral (
        select is_listed from groups where id = event.group_id limit 1
      ) home where event.status <> 'draft' and home.is_listed
    ), concerned as (
      select audience.id, webhook.id as webhook_id from audience cross join lateral (
        select id from webhooks
        where owner_id = audience.owner_id and (not by_office or 'admin' = any(scopes)) offset 0
      ) webhook
      union
      select public.id, webhook.id from public cross join lateral (
        select id from webhooks where is_active and event_types && public.patterns offset 0
      ) webhook
      union
      select public.id, past.webhook_id from public
        join webhook_past_rules past on past.is_active and past.event_types && public.patterns
    )
    insert into webhook_messages (id, webhook_id, fact_id, event_type, body, next_attempt_at)
    select uuidv7(), webhook.id, emitted.id, emitted.type, emitted.body, ${at.toISOString()}::timestamptz from concerned
      join emitted on emitted.id = concerned.id
      cross join lateral (
        select * from webhooks where id = concerned.webhook_id and emitted.scope = any(scopes) limit 1
      ) webhook
      cross join lateral (
        select from users where id = webhook.owner_id and suspended_at is null
          and (emitted.scope <> 'admin' or role = 'admin') limit 1
      ) owner
      left join lateral (
        select is_active, event_types from webhook_past_rules
        where webhook_id = webhook.id and emitted.created_at <= changed_at
          and pg_visible_in_snapshot(emitted.xid, until)
        order by place limit 1
      ) past on true
    where coalesce(past.is_active, webhook.is_active)
      and coalesce(past.event_types, webhook.event_types) && emitted.patterns
    on conflict do nothing returning 1`
