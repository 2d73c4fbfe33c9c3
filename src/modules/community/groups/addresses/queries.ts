import { desc, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { groups } from '@/db/tables/groups'

/** The groups that anyone may see, those with the most members first. */
export const listGroupAddresses = (db: Db, limit: number) =>
  db
    .select({ urlname: groups.urlname, updatedAt: groups.updatedAt })
    .from(groups)
    .where(sql`${groups.isListed}`)
    .orderBy(desc(groups.memberCount), desc(groups.id))
    .limit(limit)
