import { and, eq, gt, isNotNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { deleteInSlices } from '@/db/delete-in-slices'
import { rsvps } from '@/db/tables/events'
import { feedSubscriptionRequests, feedSubscriptions as subscriptions } from '@/db/tables/feed-subscriptions'
import { favorites, groups } from '@/db/tables/groups'

export type SubscriptionRow = typeof subscriptions.$inferSelect
type NewSubscription = typeof subscriptions.$inferInsert

type Counted = { all: number; filtered: number }
export type Counts = { ofHost: Counted; ofPair: Counted; ofAsker: number; all: number }

/** How many there are: for a host, for it and this asker, for the asker, and altogether. */
export async function countSubscriptions(
  tx: Tx,
  { callbackHost, asker }: { callbackHost: string; asker: Uint8Array },
): Promise<Counts> {
  const isTheirs = sql`${subscriptions.asker} = ${sql.param(asker, subscriptions.asker)}`
  const isFiltered = sql`strpos(${subscriptions.topic}, '?') > 0`
  const count = (which: SQL) => sql<number>`(count(*) filter (where ${which}))::int`
  const [host] = await tx
    .select({
      all: count(sql`true`),
      filtered: count(isFiltered),
      theirs: count(isTheirs),
      theirsFiltered: count(sql`${isTheirs} and ${isFiltered}`),
    })
    .from(subscriptions)
    .where(eq(subscriptions.callbackHost, callbackHost))
  return {
    ofHost: { all: host?.all ?? 0, filtered: host?.filtered ?? 0 },
    ofPair: { all: host?.theirs ?? 0, filtered: host?.theirsFiltered ?? 0 },
    ofAsker: await tx.$count(subscriptions, isTheirs),
    all: await tx.$count(subscriptions),
  }
}

export const findId = async (tx: Tx, key: Uint8Array): Promise<string | undefined> =>
  (await tx.select({ id: subscriptions.id }).from(subscriptions).where(eq(subscriptions.key, key)))[0]?.id

/** What one subscription is sent in a second on average: a short feed comes at once, a long one not often. */
const BYTES_PER_SECOND = 100_000

/** Readers hear of one change at once and of further ones together. */
export const restMs = (bytes: number) => Math.max(1000, Math.ceil((bytes / BYTES_PER_SECOND) * 1000))

const RESTED_AT = sql`${subscriptions.pushedAt} + greatest(1, ${subscriptions.bytes} / ${sql.raw(`${BYTES_PER_SECOND}.0`)}) * interval '1 second'`

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
        dueAt: sql`greatest(excluded.due_at, ${RESTED_AT})`,
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

/** How the hub's work stands. */
export const findSubscriptionFigures = async (db: Db, at: Date) => ({
  due: await db.$count(subscriptions, and(lte(subscriptions.dueAt, at), gt(subscriptions.expiresAt, at))),
  failing: await db.$count(subscriptions, isNotNull(subscriptions.failingSince)),
  unverified: await db.$count(feedSubscriptionRequests),
})

/** The name of a group that anyone may know of. */
export const findListedUrlname = async (db: Db, groupId: string): Promise<string | undefined> =>
  (
    await db
      .select({ urlname: groups.urlname })
      .from(groups)
      .where(and(eq(groups.id, groupId), is(groups.isListed, true)))
  )[0]?.urlname

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
      due_at = coalesce(due_at, greatest(${at.toISOString()}::timestamptz, ${RESTED_AT}))
    where id = any(array(select id from changed)) returning 1`)
  return marked.length
}

const concernsPeopleOf = (changed: SQL) => sql`${subscriptions.userId} in (
    select user_id from ${favorites} where group_id = any(${changed})
    union
    select ${rsvps.userId} from ${rsvps} join events on events.id = ${rsvps.eventId} where events.group_id = any(${changed}))`
