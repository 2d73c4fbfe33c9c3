import { and, arrayContains, eq, gt, gte, like, lte, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import { type Db, onceBuiltPerKind, type Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { type After, type Order, type Rows, sortedBy } from '@/db/keyset'
import { literal } from '@/db/rows'
import { filters } from '@/db/statement-names'
import { events, eventWords } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'
import { type EventRow, type EventWithGroup, groupOfEvent, visibleTo } from '../queries'

export type EventFilter = {
  statuses: EventRow['status'][]
  when: 'upcoming' | 'past' | 'all'
  at: Date | Placeholder
  groups?: string[] | Placeholder
  search?: string
  tag?: string
  city?: string
  type?: EventRow['eventType']
  from?: Date
  to?: Date
  featured?: boolean
}

export const listListedEvents = (db: Db | Tx, filter: EventFilter, after: After) =>
  db
    .select({ event: events, group: groupOfEvent })
    .from(events)
    .innerJoin(groups, eq(groups.id, events.groupId))
    .where(isListed(filter, after))

type Kind = `${EventFilter['when']} ${EventSort} ${'asc' | 'desc'}`

/** First pages of group lists. Group pages request them after every change, so each query is built once per kind. */
const beginnings = onceBuiltPerKind((db, kind: Kind) => {
  const [when, sort, direction] = kind.split(' ') as [EventFilter['when'], EventSort, 'asc' | 'desc']
  const [at, groups] = [sql.placeholder('at'), sql.placeholder('groups')]
  return listListedEvents(db, { statuses: ['published'], when, at, groups }, undefined)
    .orderBy(sortedBy(eventOrder(sort, direction), direction))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .prepare(`beginning_of_events_${kind}`)
})

export const beginningOfGroups = (kind: Kind, at: Date, groups: string[]): Rows<EventWithGroup> => ({
  orderBy: () => ({
    limit: (limit) => ({
      offset: (offset) => beginnings(kind).execute({ at: at.toISOString(), groups, limit, offset }),
    }),
  }),
})

/** Counts public events. The condition matches the partial index, so this is an index-only scan. */
export async function countListedEvents(db: Db | Tx, at: Date): Promise<{ upcoming: number; past: number }> {
  const isToCome = sql`${events.overAt} > ${at.toISOString()}::timestamptz`
  const [found] = await db
    .select({
      upcoming: sql<number>`count(*) filter (where ${isToCome})::int`,
      past: sql<number>`count(*) filter (where not ${isToCome})::int`,
    })
    .from(events)
    .innerJoin(groups, eq(groups.id, events.groupId))
    .where(and(is(events.status, 'published'), sql`${groups.isListed}`))
  return found ?? { upcoming: 0, past: 0 }
}

/** The list's filter, shared with feeds. */
export const isListed = (filter: EventFilter, after: After): SQL | undefined =>
  and(visibleTo(null), matching(filter), after)

function matching({
  statuses,
  when,
  at,
  groups: slugs,
  search,
  tag,
  city,
  type,
  from,
  to,
  featured,
}: EventFilter): SQL | undefined {
  return and(
    sql`${events.status} = any(${sql.param(statuses)}::text[])`,
    when === 'upcoming' ? isUpcoming(at) : undefined,
    filters(
      when === 'past' ? lte(events.overAt, at) : undefined,
      slugs && sql`lower(${groups.urlname}) = any(${sql.param(slugs)}::text[])`,
      search === undefined ? undefined : isFoundBy(search),
      tag === undefined ? undefined : arrayContains(events.tags, [tag]),
      city === undefined ? undefined : eq(sql`lower(${events.venueCity})`, city.toLowerCase()),
      type && eq(events.eventType, type),
      from && gte(events.startTime, from),
      to && lte(events.startTime, to),
      featured ? sql`${groups.isFeatured}` : undefined,
    ),
  )
}

/**
 * Each search word is a prefix of a word in the title, description or venue, or the title contains the search. Both conditions use
 * one table, so the planner can take the index for rare words and scan the list for common ones.
 */
const isFoundBy = (search: string): SQL =>
  sql`${events.id} in (select ${eventWords.eventId} from ${eventWords} where ${wordsMatch(search)})`

export function wordsMatch(search: string): SQL | undefined {
  const words = search.match(/[\p{L}\p{M}\p{N}]+/gu)?.map((word) => `'${word}':*`)
  const byWords = words && sql`${eventWords.words} @@ to_tsquery('simple', ${words.join(' & ')})`
  const byTitle = like(eventWords.title, `%${literal(search)}%`)
  // Trigrams need three characters; two ASCII letters match only word prefixes, because a scan of all titles costs too much.
  return byWords && /^[\0-\x7f]{0,2}$/.test(search) ? byWords : or(byWords, byTitle)
}

/** Upcoming means not over yet. The index is by start, so the scan begins at the start of the oldest ongoing event. */
function isUpcoming(at: Date | Placeholder): SQL | undefined {
  const moment = sql`${at instanceof Date ? at.toISOString() : at}::timestamptz`
  return and(
    gt(events.overAt, at),
    // `offset 0` stops the planner from finding the minimum by walking the index on start_time.
    sql`${events.startTime} >= (select coalesce(min(ongoing.start_time), ${moment}) from (
      select start_time from events where status <> 'draft' and tstzrange(start_time, over_at) @> ${moment} offset 0
    ) ongoing)`,
  )
}

const SORTED_BY = { start: events.startTime, rsvps: events.rsvpCount, created: events.createdAt }

export type EventSort = keyof typeof SORTED_BY

export const eventOrder = (sort: EventSort, direction: 'asc' | 'desc'): Order<{ event: EventRow }> => ({
  direction,
  keys: [
    [
      SORTED_BY[sort],
      ({ event }) =>
        sort === 'start' ? event.startTime : sort === 'rsvps' ? event.rsvpCount : event.createdAt,
    ],
    [events.id, ({ event }) => event.id],
  ],
})
