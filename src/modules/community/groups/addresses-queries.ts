import { desc, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { groups } from '@/db/tables/groups'

/** Listed groups for the sitemap, largest first. */
export const listGroupAddresses = (db: Db, limit: number) =>
  db
    .select({ urlname: groups.urlname, updatedAt: groups.updatedAt })
    .from(groups)
    .where(sql`${groups.isListed}`)
    .orderBy(desc(groups.memberCount), desc(groups.id))
    .limit(limit)
