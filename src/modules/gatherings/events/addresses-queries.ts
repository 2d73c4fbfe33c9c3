import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { events } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'

/** Public events for the sitemap, latest first. */
export const listEventAddresses = (db: Db, limit: number) =>
  db
    .select({ id: events.id, updatedAt: events.updatedAt })
    .from(events)
    .innerJoin(groups, eq(groups.id, events.groupId))
    .where(and(sql`${events.status} <> 'draft'`, sql`${groups.isListed}`))
    .orderBy(desc(events.startTime), desc(events.id))
    .limit(limit)
