import { and, eq, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { deleteInSlices } from '@/db/delete-in-slices'
import { rsvps } from '@/db/tables/events'
import { feedSubscriptions as subscriptions } from '@/db/tables/feed-subscriptions'
import { favorites, groups } from '@/db/tables/groups'

export type SubscriptionRow = typeof subscriptions.$inferSelect
export type NewSubscription = typeof subscriptions.$inferInsert

/** How many there are of a host, and of all, without this one: it may be renewed however many there are. */
export const countSubscriptions = async (
  tx: Tx,
  { callbackHost, key }: Pick<NewSubscription, 'callbackHost' | 'key'>,
): Promise<{ ofHost: number; all: number }> => {
  const others = sql`${subscriptions.key} <> ${sql.param(key, subscriptions.key)}`
  return {
    ofHost: await tx.$count(subscriptions, and(eq(subscriptions.callbackHost, callbackHost), others)),
    all: await tx.$count(subscriptions, others),
  }
}

export const findId = async (tx: Tx, key: Uint8Array): Promise<string | undefined> =>
  (await tx.select({ id: subscriptions.id }).from(subscriptions).where(eq(subscriptions.key, key)))[0]?.id

/** Renewed, it has another lease and another secret, and begins anew where it failed; what it has been sent stays known. */
export const upsertSubscription = (tx: Tx, row: NewSubscription) =>
  tx
    .insert(subscriptions)
    .values(row)
    .onConflictDoUpdate({
      target: subscriptions.key,
      set: {
        sealed: row.sealed,
        expiresAt: row.expiresAt,
        dueAt: row.dueAt,
        changes: sql`${subscriptions.changes} + 1`,
        attempts: 0,
        failingSince: null,
      },
    })
    .execute()

export const deleteByKey = (tx: Tx, key: Uint8Array) =>
  tx.delete(subscriptions).where(eq(subscriptions.key, key)).execute()

export const deleteExpired = (db: Db, at: Date) =>
  deleteInSlices(db, subscriptions, {
    old: lte(subscriptions.expiresAt, at),
    by: [subscriptions.expiresAt, subscriptions.id],
  })

/** The name of a group that anyone may know of. */
export const findListedUrlname = async (db: Db, groupId: string): Promise<string | undefined> =>
  (
    await db
      .select({ urlname: groups.urlname })
      .from(groups)
      .where(and(eq(groups.id, groupId), is(groups.isListed, true)))
  )[0]?.urlname

/** Readers hear of one change at once and of further ones together. */
const GAP = sql`interval '1 second'`

/** What happened, as far as feeds go: in which groups, and to which people alone. */
export type Changed = { groupIds: string[]; userIds: string[] }

/**
 * Lets a push be due for all whose feed may have changed: those of everything, of these groups, and people's own where
 * they have to do with the groups. One that is due and that nobody sends just now will show the change anyway. Rows are
 * taken in one order, so that two workers wait for each other in turn.
 */
export async function markDue(tx: Tx, { groupIds, userIds }: Changed, at: Date): Promise<number> {
  const changed = sql`${sql.param(groupIds)}::uuid[]`
  const concerned = or(
    groupIds.length > 0
      ? and(sql`${subscriptions.userId} is null`, sql`${subscriptions.groupId} is null`)
      : undefined,
    sql`${subscriptions.groupId} = any(${changed})`,
    sql`${subscriptions.userId} = any(${sql.param(userIds)}::uuid[])`,
    groupIds.length > 0 ? concernsPeopleOf(changed) : undefined,
  )
  const marked = await tx.execute(sql`
    with changed as materialized (
      select id from ${subscriptions}
      where ${concerned} and (due_at is null or lease_until is not null)
      order by id for no key update
    )
    update ${subscriptions} set changes = changes + 1,
      due_at = coalesce(due_at, greatest(${at.toISOString()}::timestamptz, pushed_at + ${GAP}))
    where id = any(array(select id from changed)) returning 1`)
  return marked.length
}

const concernsPeopleOf = (changed: SQL) => sql`${subscriptions.userId} in (
    select user_id from ${favorites} where group_id = any(${changed})
    union
    select ${rsvps.userId} from ${rsvps} join events on events.id = ${rsvps.eventId} where events.group_id = any(${changed}))`
