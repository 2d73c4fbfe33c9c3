import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import {
  feedSubscriptionRequests as requests,
  feedSubscriptions as subscriptions,
} from '@/db/tables/feed-subscriptions'
import type { Capacity } from '@/delivery/engine'
import { restMs, type SubscriptionRow } from '../queries'
import type { RequestRow } from '../requests/queries'
import type { Allowed } from './allowance'

/** Longer than a piece of work takes. A process that dies leaves its leases, which run out. */
export const LEASE_MS = 30_000

/** `claimedAt` is a time of `performance`: what was true when the row was due, was so by then. */
export type Lease = { owner: string; claimedAt: number }

export type Claim = Capacity & {
  at: Date
  leaseOwner: string
  leaseUntil: Date
  /** Rows for one host at once. */
  each: number
  allowed: Allowed
}

/** So many that are due are looked at for those whose hosts have room. */
const LOOKED_AT = 1000

/**
 * The ids of what is due and free, a few for each host, and of these as many as may begin for the bytes that they
 * were last time. Hosts that have all they may are passed over.
 */
function dueIds(
  table: typeof subscriptions | typeof requests,
  claim: Claim,
  { which, bytes }: { which: SQL; bytes: SQL },
): SQL {
  const { busy, allowed } = claim
  const at = sql`${claim.at.toISOString()}::timestamptz`
  const isFree = sql`due_at <= ${at} and (lease_until is null or lease_until <= ${at})`
  const full = [
    ...Object.keys(busy).filter((host) => (busy[host] ?? 0) >= claim.each),
    ...Object.keys(allowed.ofHosts).filter((host) => (allowed.ofHosts[host] ?? 0) <= 0),
  ]
  return sql`any(array(
    with due as materialized (
      select id, callback_host, due_at, ${bytes} as bytes from ${table}
      where ${isFree} and ${which} and callback_host <> all(${sql.param(full)}::text[])
      order by due_at limit ${LOOKED_AT}::int
    ), placed as (
      select id, due_at, bytes, coalesce((${JSON.stringify(busy)}::jsonb ->> callback_host)::int, 0)
        + row_number() over (partition by callback_host order by due_at) as place,
        coalesce((${JSON.stringify(allowed.ofHosts)}::jsonb ->> callback_host)::float8, ${allowed.ofHost}::float8)
        - sum(bytes) over (partition by callback_host order by due_at rows unbounded preceding) + bytes as left_of_host
      from due
    ), fitting as (
      select id, due_at, sum(bytes) over (order by due_at rows unbounded preceding) - bytes as before
      from placed where place <= ${claim.each}::int and left_of_host > 0
    ), chosen as (
      select id from fitting where before < ${allowed.all}::float8 order by due_at limit ${claim.limit}::int
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
    .where(sql`${requests.id} = ${dueIds(requests, claim, { which: sql`true`, bytes: sql`0` })}`)
    .returning()

/** Those that fail are few at once, so that they keep nobody waiting. */
export const claimPushes = (db: Db, claim: Claim, areFailing: boolean): Promise<SubscriptionRow[]> => {
  const isAlive = sql`expires_at > ${claim.at.toISOString()}::timestamptz`
  const fails = areFailing ? isNotNull(subscriptions.failingSince) : isNull(subscriptions.failingSince)
  const terms = { which: and(isAlive, fails) as SQL, bytes: sql`bytes` }
  return db
    .update(subscriptions)
    .set(leaseOf(claim))
    .where(sql`${subscriptions.id} = ${dueIds(subscriptions, claim, terms)}`)
    .returning()
}

const oursOf = (id: string, leaseOwner: string) =>
  and(eq(subscriptions.id, id), eq(subscriptions.leaseOwner, leaseOwner))

/**
 * The last look before a push is begun, at what caches may not know yet: whether the subscription is still there and ours
 * to send, and whether its group is listed, its person in good standing and the token still theirs.
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
        and (user_id is null or (exists (select 1 from users where users.id = user_id and suspended_at is null)
          and exists (select 1 from feed_tokens where feed_tokens.id = feed_token_id)))`,
    })
  return row
}

/** Nothing is due any more, unless something changed meanwhile. */
export const settle = (db: Db, { id, changes }: SubscriptionRow, leaseOwner: string, sent: Sent) =>
  db
    .update(subscriptions)
    .set({
      ...(sent.feed && { ...sentOf(sent.feed, sent.at), etag: sent.feed.etag, failingSince: null }),
      attempts: 0,
      dueAt: sql`case when ${subscriptions.changes} = ${changes}::int then null
        else ${rested(sent.feed, sent.at).toISOString()}::timestamptz end`,
      leaseOwner: null,
      leaseUntil: null,
    })
    .where(oursOf(id, leaseOwner))
    .execute()

type Sendable = { etag: string; bytes: Uint8Array }

/** What was accepted; undefined where nothing had to be sent. */
type Sent = { at: Date; feed?: Sendable }

const sentOf = ({ bytes }: Sendable, at: Date) => ({ pushedAt: at, bytes: bytes.length })

/** When the next push may follow. */
const rested = (feed: Sendable | undefined, at: Date) =>
  new Date(at.getTime() + restMs(feed?.bytes.length ?? 0))

/** A change after the last attempt starts a new delivery. */
export const postpone = (
  db: Db,
  { id, attempts, changes }: SubscriptionRow,
  leaseOwner: string,
  failed: Failed,
) => {
  const restedAt = rested(failed.feed, failed.at)
  return db
    .update(subscriptions)
    .set({
      ...sentOf(failed.feed, failed.at),
      attempts: failed.nextAt === null ? 0 : attempts + 1,
      dueAt: failed.nextAt
        ? new Date(Math.max(failed.nextAt.getTime(), restedAt.getTime()))
        : sql`case when ${subscriptions.changes} = ${changes}::int then null else ${restedAt.toISOString()}::timestamptz end`,
      failingSince: sql`coalesce(${subscriptions.failingSince}, ${failed.at.toISOString()}::timestamptz)`,
      leaseOwner: null,
      leaseUntil: null,
    })
    .where(oursOf(id, leaseOwner))
    .execute()
}

type Failed = { at: Date; nextAt: Date | null; feed: Sendable }

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
