import { desc, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { jobs } from '@/db/tables/jobs'

/** Failed jobs are deleted after a day. */
export const listFailedJobs = (db: Db, limit: number) =>
  db
    .select({ id: jobs.id, kind: jobs.kind, attempts: jobs.attempts, error: jobs.error, at: jobs.createdAt })
    .from(jobs)
    .where(is(jobs.status, 'failed'))
    .orderBy(desc(jobs.createdAt))
    .limit(limit)

/** Restarts one job, or all if the id is null. */
export const reviveJobs = async (
  tx: Tx,
  id: string | null,
  { at, limit }: { at: Date; limit: number },
): Promise<number> =>
  (
    await tx.execute(sql`
      update jobs set status = 'queued', attempts = 0, done = 0, error = null, finished_at = null,
        next_attempt_at = ${at.toISOString()}::timestamptz
      where id = any(array(
        select id from jobs where status = 'failed' and (${id}::uuid is null or id = ${id}::uuid) limit ${limit}::int for update
      ))
      returning id`)
  ).length
