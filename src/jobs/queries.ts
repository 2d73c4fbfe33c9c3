import { and, asc, eq, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { deleteInSlices } from '@/db/delete-in-slices'
import { demandQuota } from '@/db/quotas'
import { jobs } from '@/db/tables/jobs'
import { heartbeats } from '@/db/tables/outbox'
import { users } from '@/db/tables/users'

export type JobRow = typeof jobs.$inferSelect

export type JobCounts = {
  waiting: number
  active: number
  delayed: number
  failed: number
  /** The age of the oldest waiting job. */
  oldestSeconds: number | null
}

export const demandQuotaForJob = (tx: Tx, ownerId: string) =>
  demandQuota(tx, 'jobs', { parent: [users.id, ownerId], children: jobs, which: eq(jobs.ownerId, ownerId) })

export const insertJob = (tx: Tx, row: typeof jobs.$inferInsert) => tx.insert(jobs).values(row).execute()

type Claim = { kinds: string[]; at: Date; until: Date; limit: number }

/** Leases due jobs, oldest first. Leaves unknown kinds to workers of a newer release. */
export const claimJobs = (db: Db, { kinds, at, until, limit }: Claim): Promise<JobRow[]> => {
  const due = db
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        isNull(jobs.finishedAt),
        lte(jobs.nextAttemptAt, at),
        sql`${jobs.kind} = any(${sql.param(kinds)}::text[])`,
      ),
    )
    .orderBy(asc(jobs.nextAttemptAt))
    .limit(limit)
    .for('update', { skipLocked: true })
  return db
    .update(jobs)
    .set({
      status: 'running',
      attempts: sql`${jobs.attempts} + 1`,
      startedAt: sql`coalesce(${jobs.startedAt}, ${at.toISOString()}::timestamptz)`,
      nextAttemptAt: until,
    })
    .where(sql`${jobs.id} = any(array(${due}))`)
    .returning()
}

/** Updates the job only while this run holds it; false if another run took it or its owner was deleted. */
export const updateRun = async (
  db: Db,
  { id, attempts }: JobRow,
  change: Partial<Omit<JobRow, 'id' | 'kind' | 'ownerId' | 'input' | 'createdAt'>>,
): Promise<boolean> =>
  (
    await db
      .update(jobs)
      .set(change)
      .where(and(eq(jobs.id, id), eq(jobs.attempts, attempts), isNull(jobs.finishedAt)))
      .returning({ id: jobs.id })
  ).length > 0

/** Job counts by kind and state. A job with an expired lease counts as waiting; failed jobs are deleted after a day. */
export async function countJobs(db: Db, at: Date): Promise<({ kind: string } & JobCounts)[]> {
  const isDue = sql`${jobs.finishedAt} is null and ${jobs.nextAttemptAt} <= ${at.toISOString()}::timestamptz`
  const isLater = sql`${jobs.nextAttemptAt} > ${at.toISOString()}::timestamptz`
  const number = (which: SQL) => sql<number>`count(*) filter (where ${which})::int`
  return db
    .select({
      kind: jobs.kind,
      waiting: number(isDue),
      active: number(sql`${is(jobs.status, 'running')} and ${isLater}`),
      delayed: number(sql`${is(jobs.status, 'queued')} and ${isLater}`),
      failed: number(is(jobs.status, 'failed')),
      oldestSeconds: sql<number | null>`floor(extract(epoch from
        ${at.toISOString()}::timestamptz - min(${jobs.createdAt}) filter (where ${isDue})))::int`,
    })
    .from(jobs)
    .where(or(isNull(jobs.finishedAt), is(jobs.status, 'failed')))
    .groupBy(jobs.kind)
}

export const deleteOldJobs = (db: Db, before: Date) =>
  deleteInSlices(db, jobs, { old: lt(jobs.finishedAt, before), by: [jobs.finishedAt, jobs.id] })

export const recordHeartbeat = (db: Db, worker: string, at: Date) =>
  db.insert(heartbeats).values({ worker, at }).onConflictDoUpdate({ target: heartbeats.worker, set: { at } })

/** Seconds since the last heartbeat of any worker; null before the first. */
export const findHeartbeatAge = async (db: Db): Promise<number | null> => {
  const age = sql<number | null>`extract(epoch from now() - max(least(${heartbeats.at}, now())))::float8`
  return (await db.select({ age }).from(heartbeats))[0]?.age ?? null
}

export const deleteOldHeartbeats = (db: Db, before: Date) =>
  deleteInSlices(db, heartbeats, { old: lt(heartbeats.at, before), by: [heartbeats.worker] })
