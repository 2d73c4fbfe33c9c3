import {
  and,
  arrayContained,
  eq,
  inArray,
  isNull,
  lte,
  not,
  notExists,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import type { Asker } from '@/core/caller'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { deleteInSlices } from '@/db/delete-in-slices'
import { demandRoom } from '@/db/quotas'
import { patched } from '@/db/rows'
import { outbox } from '@/db/tables/outbox'
import { users } from '@/db/tables/users'
import { type webhookMessages, webhookPastRules, webhooks } from '@/db/tables/webhooks'

export type WebhookRow = typeof webhooks.$inferSelect
export type MessageRow = typeof webhookMessages.$inferSelect

/** A person's own webhooks; to an application, only those that its grant made. */
const within = ({ userId, grantId }: Asker) =>
  and(eq(webhooks.ownerId, userId), grantId === null ? undefined : eq(webhooks.madeByGrant, grantId))

export const listWebhooksOf = (db: Db | Tx, asker: Asker): Promise<WebhookRow[]> =>
  db.select().from(webhooks).where(within(asker)).orderBy(webhooks.createdAt, webhooks.id)

export const demandRoomForWebhook = (tx: Tx, ownerId: string) =>
  demandRoom(tx, 'webhooks', {
    parent: [users.id, ownerId],
    children: webhooks,
    which: eq(webhooks.ownerId, ownerId),
  })

export async function insertWebhook(tx: Tx, row: typeof webhooks.$inferInsert): Promise<WebhookRow> {
  const [inserted] = await tx.insert(webhooks).values(row).returning()
  return inserted as WebhookRow
}

export async function findWebhook(
  db: Db | Tx,
  asker: Asker,
  id: string,
  lock = false,
): Promise<WebhookRow | undefined> {
  const query = db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.id, id), within(asker)))
  // Not against those who only need it to be there: messages refer to it, and what came of them is written down.
  const [found] = lock ? await query.for('no key update') : await query
  return found
}

/** Where a webhook goes, and where its owner gets mail. */
export const findUrlAndOwner = async (
  db: Db,
  id: string,
): Promise<{ url: string; email: string | null } | undefined> =>
  (
    await db
      .select({ url: webhooks.url, email: users.email })
      .from(webhooks)
      .innerJoin(users, eq(users.id, webhooks.ownerId))
      .where(eq(webhooks.id, id))
  )[0]

const CHANGEABLE = [
  'url',
  'eventTypes',
  'isActive',
  'failures',
  'failingSince',
  'secret',
  'oldSecrets',
  'maker',
  'madeByToken',
  'madeByGrant',
] as const satisfies (keyof WebhookRow)[]

export async function updateWebhook(
  tx: Tx,
  id: string,
  change: Partial<Pick<WebhookRow, (typeof CHANGEABLE)[number]>>,
): Promise<WebhookRow> {
  const [updated] = await tx
    .update(webhooks)
    .set(patched(webhooks, CHANGEABLE, change))
    .where(eq(webhooks.id, id))
    .returning()
  return updated as WebhookRow
}

/** Joins the owner to a webhook that is told anything at all: switched on, by somebody who is not suspended. */
export const hears = and(
  eq(users.id, webhooks.ownerId),
  isNull(users.suspendedAt),
  is(webhooks.isActive, true),
)

export type DisabledReason = NonNullable<WebhookRow['disabledReason']>

/** Says whether it was on. */
export const switchOff = async (
  tx: Db | Tx,
  webhookId: string,
  disabledReason: DisabledReason | null,
): Promise<boolean> =>
  (
    await tx
      .update(webhooks)
      .set({ isActive: false, disabledReason })
      .where(and(eq(webhooks.id, webhookId), is(webhooks.isActive, true)))
      .returning({ id: webhooks.id })
  ).length > 0

/** Cuts webhooks off from the grants that made them. A trigger switches them off, as when the grant is gone. */
export const endWebhooksMadeBy = (tx: Tx, grants: SQLWrapper) =>
  cutOff(tx, inArray(webhooks.madeByGrant, grants))

export const endWebhooksOfGrant = (tx: Tx, grantId: string) => cutOff(tx, eq(webhooks.madeByGrant, grantId))

const cutOff = (tx: Tx, which: SQL) => tx.update(webhooks).set({ madeByGrant: null }).where(which).execute()

/** Webhooks of a grant hear by no scope that is not among these. */
export const narrowWebhooksMadeBy = (tx: Tx, grantId: string, scopes: string[]) =>
  tx
    .update(webhooks)
    .set({ scopes: sql`array(select unnest(scopes) intersect select unnest(${sql.param(scopes)}::text[]))` })
    .where(and(eq(webhooks.madeByGrant, grantId), not(arrayContained(webhooks.scopes, scopes))))
    .execute()

export const deleteWebhook = async (tx: Tx, ownerId: string, id: string): Promise<boolean> =>
  (
    await tx
      .delete(webhooks)
      .where(and(eq(webhooks.id, id), eq(webhooks.ownerId, ownerId)))
      .returning({ id: webhooks.id })
  ).length > 0

/** Keeps the rule that held until now, for what has happened. For a new webhook that is: nothing is heard. */
export const keepPastRule = (
  tx: Tx,
  { id, eventTypes, isActive }: Pick<WebhookRow, 'id' | 'eventTypes' | 'isActive'>,
) => tx.insert(webhookPastRules).values({ webhookId: id, eventTypes, isActive }).execute()

/** Rules by which nothing is left to be told. */
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
