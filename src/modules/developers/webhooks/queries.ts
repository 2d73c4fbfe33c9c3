import { and, arrayContained, eq, inArray, isNull, not, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Asker } from '@/core/caller'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { demandQuota } from '@/db/quotas'
import { patched } from '@/db/rows'
import { users } from '@/db/tables/users'
import { type webhookMessages, webhooks } from '@/db/tables/webhooks'

export type WebhookRow = typeof webhooks.$inferSelect
export type MessageRow = typeof webhookMessages.$inferSelect

/** A person's own webhooks; to an application, only those that its grant made. */
const within = ({ userId, grantId }: Asker) =>
  and(eq(webhooks.ownerId, userId), grantId === null ? undefined : eq(webhooks.madeByGrant, grantId))

export const listWebhooksOf = (db: Db | Tx, asker: Asker): Promise<WebhookRow[]> =>
  db.select().from(webhooks).where(within(asker)).orderBy(webhooks.createdAt, webhooks.id)

export const demandRoomForWebhook = (tx: Tx, ownerId: string) =>
  demandQuota(tx, 'webhooks', {
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

/** Where a webhook goes, and whether it is on. */
export const findUrl = async (db: Db, id: string): Promise<{ url: string; isActive: boolean } | undefined> =>
  (
    await db
      .select({ url: webhooks.url, isActive: webhooks.isActive })
      .from(webhooks)
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

/** Joins active webhooks with their owners who are not suspended. */
export const isReceiving = and(
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

/** Switches off all webhooks of a person whose account may have been stolen. */
export const switchOffAllOf = (tx: Tx, ownerId: string) =>
  tx
    .update(webhooks)
    .set({ isActive: false, disabledReason: 'access_ended' })
    .where(and(eq(webhooks.ownerId, ownerId), is(webhooks.isActive, true)))
    .execute()

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
