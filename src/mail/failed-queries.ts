import { and, desc, gt, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { mails } from '@/db/tables/mails'

/** Refused and expired letters. Their data is deleted, so they cannot be sent again. */
export const listFailedMails = (db: Db, since: Date, limit: number) =>
  db
    .select({
      id: mails.id,
      letter: mails.letter,
      attempts: mails.attempts,
      outcome: mails.outcome,
      at: sql<Date>`${mails.finishedAt}`.mapWith(mails.finishedAt),
    })
    .from(mails)
    .where(and(gt(mails.finishedAt, since), sql`${mails.outcome} in ('refused', 'expired')`))
    .orderBy(desc(mails.finishedAt))
    .limit(limit)
