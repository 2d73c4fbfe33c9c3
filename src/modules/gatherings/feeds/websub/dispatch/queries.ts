import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import {
  feedSubscriptionRequests as requests,
  feedSubscriptions as subscriptions,
} from '@/db/tables/feed-subscriptions'
import type { SubscriptionRow } from '../queries'
import type { RequestRow } from '../requests/queries'
import type { Claim } from './lane'

/** So many that are due are looked at for those whose hosts have room. */
const LOOKED_AT = 1000

/** The ids of what is due and free, a few for each host. Hosts that have all they may are passed over. */
function dueIds(table: typeof subscriptions | typeof requests, claim: Claim, which: SQL): SQL {
  const at = sql`${claim.at.toISOString()}::timestamptz`
  const isFree = sql`due_at <= ${at} and (lease_until is null or lease_until <= ${at})`
  const full = Object.keys(claim.busy).filter((host) => (claim.busy[host] ?? 0) >= claim.each)
  return sql`any(array(
    with due as materialized (
      select id, callback_host, due_at from ${table}
      where ${isFree} and ${which} and callback_host <> all(${sql.param(full)}::text[])
      order by due_at limit ${LOOKED_AT}::int
    ), placed as (
      select id, due_at, coalesce((${JSON.stringify(claim.busy)}::jsonb ->> callback_host)::int, 0)
        + row_number() over (partition by callback_host order by due_at) as place
      from due
    ), chosen as (
      select id from placed where place <= ${claim.each}::int order by due_at limit ${claim.limit}::int
    )
    select free.id from chosen cross join lateral (
      select id from ${table} where id = chosen.id and ${isFree} for update skip locked
    ) free))`
}

const leaseOf = ({ leaseOwner, leaseUntil }: Claim) => ({ leaseOwner, leaseUntil })

export const claimRequests = (db: Db, claim: Claim): Promise<RequestRow[]> =>
  db
    .update(requests)
    .set(leaseOf(claim))
    .where(sql`${requests.id} = ${dueIds(requests, claim, sql`true`)}`)
    .returning()

/** Those that fail are few at once, so that they keep nobody waiting. */
export const claimPushes = (db: Db, claim: Claim, areFailing: boolean): Promise<SubscriptionRow[]> => {
  const isAlive = sql`expires_at > ${claim.at.toISOString()}::timestamptz`
  const fails = areFailing ? isNotNull(subscriptions.failingSince) : isNull(subscriptions.failingSince)
  return db
    .update(subscriptions)
    .set(leaseOf(claim))
    .where(sql`${subscriptions.id} = ${dueIds(subscriptions, claim, and(isAlive, fails) as SQL)}`)
    .returning()
}

const oursOf = (id: string, leaseOwner: string) =>
  and(eq(subscriptions.id, id), eq(subscriptions.leaseOwner, leaseOwner))

/**
 * The last look before a push is begun, at what caches may not know yet: whether the subscription is still there and ours
 * to send, and whether its group is listed and its person in good standing.
 */
export async function renewLease(
  db: Db,
  id: string,
  leaseOwner: string,
  leaseUntil: Date,
): Promise<{ isShown: boolean } | undefined> {
  const [row] = await db
    .update(subscriptions)
    .set({ leaseUntil })
    .where(oursOf(id, leaseOwner))
    .returning({
      isShown: sql<boolean>`(group_id is null or exists (select 1 from groups where groups.id = group_id and is_listed))
        and (user_id is null or exists (select 1 from users where users.id = user_id and suspended_at is null))`,
    })
  return row
}

/** Nothing is due any more, unless something changed meanwhile. */
export const settle = (db: Db, { id, changes }: SubscriptionRow, leaseOwner: string, sent: Sent) =>
  db
    .update(subscriptions)
    .set({
      ...(sent.etag !== undefined && { etag: sent.etag, pushedAt: sent.at, failingSince: null }),
      attempts: 0,
      dueAt: sql`case when ${subscriptions.changes} = ${changes}::int then null
        else ${new Date(sent.at.getTime() + 1000).toISOString()}::timestamptz end`,
      leaseOwner: null,
      leaseUntil: null,
    })
    .where(oursOf(id, leaseOwner))
    .execute()

/** The tag of what was accepted; undefined where nothing had to be sent, or nothing more will be. */
type Sent = { at: Date; etag?: string }

/** What changes after the last attempt begins anew. */
export const postpone = (
  db: Db,
  { id, attempts, changes }: SubscriptionRow,
  leaseOwner: string,
  failed: Failed,
) =>
  db
    .update(subscriptions)
    .set({
      attempts: failed.nextAt === null ? 0 : attempts + 1,
      dueAt:
        failed.nextAt ??
        sql`case when ${subscriptions.changes} = ${changes}::int then null else ${failed.at.toISOString()}::timestamptz end`,
      failingSince: sql`coalesce(${subscriptions.failingSince}, ${failed.at.toISOString()}::timestamptz)`,
      leaseOwner: null,
      leaseUntil: null,
    })
    .where(oursOf(id, leaseOwner))
    .execute()

type Failed = { at: Date; nextAt: Date | null }

export const endSubscription = (db: Db, id: string, leaseOwner: string) =>
  db.delete(subscriptions).where(oursOf(id, leaseOwner)).execute()

const requestOf = (id: string, leaseOwner: string) =>
  and(eq(requests.id, id), eq(requests.leaseOwner, leaseOwner))

/** Says whether it was still there and ours. */
export const takeRequest = async (db: Db | Tx, id: string, leaseOwner: string): Promise<boolean> =>
  (await db.delete(requests).where(requestOf(id, leaseOwner)).returning({ id: requests.id })).length > 0

export const postponeRequest = (db: Db, { id, attempts }: RequestRow, leaseOwner: string, dueAt: Date) =>
  db
    .update(requests)
    .set({ attempts: attempts + 1, dueAt, leaseOwner: null, leaseUntil: null })
    .where(requestOf(id, leaseOwner))
    .execute()
