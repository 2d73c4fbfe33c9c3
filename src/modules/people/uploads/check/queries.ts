import { and, eq, sql } from 'drizzle-orm'
import { now } from '@/core/clock'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { uploads } from '@/db/tables/uploads'
import type { UploadRow } from '../queries'

type Claim = {
  at: Date
  until: Date
  limit: number
  /** Recently served owners, latest last. */
  served: string[]
}

/**
 * Leases files to check: the oldest of each owner, least recently served owners first, so that one owner's batch does not delay
 * others.
 */
export const claimChecks = (db: Db, { at, until, limit, served }: Claim): Promise<UploadRow[]> => {
  const isDue = sql`${uploads.nextCheckAt} is not null and ${uploads.nextCheckAt} <= ${at.toISOString()}::timestamptz`
  return db
    .update(uploads)
    .set({ attempts: sql`${uploads.attempts} + 1`, nextCheckAt: until })
    .where(
      sql`${uploads.id} = any(array(
        select id from ${uploads}
        where ${isDue} and id = any(array(
          select distinct on (owner_id) id from ${uploads} where ${isDue} order by owner_id, id
        ))
        order by array_position(${sql.param(served)}::uuid[], owner_id) nulls first, id
        limit ${limit}::int for update skip locked
      ))`,
    )
    .returning()
}

/** Updates the row only while this check holds its lease; returns whether it did. */
export const updateClaimed = async (
  db: Db | Tx,
  { id, attempts, state }: UploadRow,
  change: Partial<Omit<UploadRow, 'id' | 'key' | 'ownerId' | 'createdAt'>>,
): Promise<boolean> =>
  (
    await db
      .update(uploads)
      .set({ ...change, ...(change.state && { changedAt: now() }) })
      .where(and(eq(uploads.id, id), eq(uploads.attempts, attempts), eq(uploads.state, state)))
      .returning({ id: uploads.id })
  ).length > 0

/**
 * The number of unchecked files and the age of the oldest. For direct uploads to a bucket, includes those whose poll is overdue.
 */
export async function findWaitingForCheck(db: Db, at: Date) {
  const time = sql`${at.toISOString()}::timestamptz`
  const since = sql`case when ${is(uploads.state, 'received')} then ${uploads.changedAt} else ${uploads.nextCheckAt} end`
  const [row] = await db
    .select({
      waiting: sql<number>`count(*)::int`,
      oldestSeconds: sql<number | null>`greatest(0, floor(extract(epoch from ${time} - min(${since}))))::int`,
    })
    .from(uploads)
    .where(
      sql`${uploads.nextCheckAt} is not null and (${is(uploads.state, 'received')} or ${uploads.nextCheckAt} <= ${time})`,
    )
  return row?.waiting ? row : { waiting: 0, oldestSeconds: null }
}
