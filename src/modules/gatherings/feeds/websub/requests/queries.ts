import { and, eq, lte, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { deleteInSlices } from '@/db/delete-in-slices'
import { feedSubscriptionRequests as requests } from '@/db/tables/feed-subscriptions'

export type RequestRow = typeof requests.$inferSelect
export type NewRequest = typeof requests.$inferInsert

/** Until the commit, nobody else counts or adds what concerns this host. */
export const lockHost = (tx: Tx, host: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`websub ${host}`}::text, 0))`)

type Pending = { ofAsker: number; ofHost: number; all: number }

/** Requests that wait for their callback: of this host for this asker, of this host, and all. */
export async function countPending(
  tx: Tx,
  { callbackHost, asker, key }: Pick<NewRequest, 'callbackHost' | 'asker' | 'key'>,
): Promise<Pending> {
  const others = sql`not (${requests.key} = ${sql.param(key, requests.key)} and ${requests.asker} = ${sql.param(asker, requests.asker)})`
  const ofHost = and(eq(requests.callbackHost, callbackHost), others)
  return {
    ofAsker: await tx.$count(requests, and(ofHost, eq(requests.asker, asker))),
    ofHost: await tx.$count(requests, ofHost),
    all: await tx.$count(requests),
  }
}

/** The last word of one asker about the same subscription counts. Its id is another, so that the earlier one comes to nothing. */
export const insertRequest = (tx: Tx, row: NewRequest) =>
  tx
    .insert(requests)
    .values(row)
    .onConflictDoUpdate({
      target: [requests.key, requests.asker],
      set: {
        id: row.id,
        mode: row.mode,
        sealed: row.sealed,
        leaseSeconds: row.leaseSeconds,
        dueAt: row.dueAt,
        attempts: 0,
        leaseOwner: null,
        leaseUntil: null,
        createdAt: row.createdAt,
      },
    })
    .execute()

export const deleteOldRequests = (db: Db, before: Date) =>
  deleteInSlices(db, requests, {
    old: lte(requests.createdAt, before),
    by: [requests.createdAt, requests.id],
  })
