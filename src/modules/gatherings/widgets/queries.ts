import { sql } from 'drizzle-orm'
import { now } from '@/core/clock'
import type { Db } from '@/db/client'
import { events } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'
import { listListedGroups } from '@/modules/community/groups/queries'
import { filterOf } from '@/modules/gatherings/events/list/filter'
import { listListedEvents } from '@/modules/gatherings/events/list/queries'
import type { EventWithGroup } from '@/modules/gatherings/events/queries'

export const findGroupsNamed = (db: Db, names: readonly string[]) =>
  listListedGroups(db, {}, sql`lower(${groups.urlname}) = any(${sql.param([...names])}::text[])`)

/** Upcoming events of listed groups; null means all groups. */
export const listNextEvents = async (
  db: Db,
  groupIds: readonly string[] | null,
  limit: number,
): Promise<EventWithGroup[]> =>
  listListedEvents(
    db,
    filterOf({}, now()),
    groupIds === null ? undefined : sql`${events.groupId} = any(${sql.param([...groupIds])}::uuid[])`,
  )
    .orderBy(sql`${events.startTime} asc, ${events.id} asc`)
    .limit(limit)
    .offset(0)
