import { and, arrayContains, eq, gt, like, or, type SQL, sql } from 'drizzle-orm'
import { type Db, onceBuilt, type Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { type After, descending, type Order } from '@/db/keyset'
import { literal } from '@/db/rows'
import { filters } from '@/db/statement-names'
import { events } from '@/db/tables/events'
import { favorites, groupMembers, groups } from '@/db/tables/groups'
import { users } from '@/db/tables/users'
import { publicUsers } from '@/modules/people/users/queries'
import type { StaffRole } from './staff/role'

export type GroupRow = typeof groups.$inferSelect

const groupById = onceBuilt((db) =>
  db
    .select()
    .from(groups)
    .where(eq(groups.id, sql.placeholder('id')))
    .prepare('group_by_id'),
)

export const findGroup = async (id: string): Promise<GroupRow | null> =>
  (await groupById().execute({ id }))[0] ?? null

const idByUrlname = onceBuilt((db) =>
  db
    .select({ id: groups.id })
    .from(groups)
    .where(eq(sql`lower(${groups.urlname})`, sql.placeholder('urlname')))
    .prepare('group_id_by_urlname'),
)

export const findGroupIdByUrlname = async (urlname: string): Promise<string | null> =>
  (await idByUrlname().execute({ urlname: urlname.toLowerCase() }))[0]?.id ?? null

const upcomingOf = onceBuilt((db) =>
  db
    .select({
      id: events.id,
      title: events.title,
      startTime: events.startTime,
      platformEventUrl: events.platformEventUrl,
    })
    .from(events)
    .where(
      and(
        eq(events.groupId, sql.placeholder('groupId')),
        is(events.status, 'published'),
        gt(events.overAt, sql`now()`),
      ),
    )
    .orderBy(events.startTime, events.id)
    .limit(10)
    .prepare('upcoming_of_group'),
)

export const listUpcoming = (groupId: string) => upcomingOf().execute({ groupId })

export type UpcomingRow = Awaited<ReturnType<typeof listUpcoming>>[number]

const SORTED_BY = { members: groups.memberCount, name: groups.name, created: groups.createdAt }

export type GroupSort = keyof typeof SORTED_BY

export const groupsOrder = (sort: GroupSort): Order<GroupRow> => ({
  direction: sort === 'name' ? 'asc' : 'desc',
  keys: [
    [
      SORTED_BY[sort],
      (row) => (sort === 'members' ? row.memberCount : sort === 'name' ? row.name : row.createdAt),
    ],
    [groups.id, (row) => row.id],
  ],
})

export type GroupFilters = { search?: string; tag?: string; featured?: boolean }

export const listListedGroups = (db: Db | Tx, { search, tag, featured }: GroupFilters, after: After) =>
  db
    .select()
    .from(groups)
    .where(
      and(
        // Spelled as in the partial indexes.
        sql`${groups.isListed}`,
        filters(
          search === undefined ? undefined : matches(search),
          tag === undefined ? undefined : arrayContains(groups.tags, [tag]),
          featured === undefined ? undefined : eq(groups.isFeatured, featured),
        ),
        after,
      ),
    )

export const countListedGroups = (db: Db | Tx) => db.$count(groups, sql`${groups.isListed}`)

/** Trigram match; searches below three characters match prefixes. */
function matches(search: string): SQL | undefined {
  const text = literal(search)
  const name = sql`lower(${groups.name})`
  if ([...search].length > 2) return like(name, `%${text}%`)
  return or(like(name, `${text}%`), like(name, `% ${text}%`))
}

export type FanRow = { id: string; username: string | null; name: string; avatarUrl: string | null; at: Date }

export const FANS_ORDER = descending<FanRow>(
  [favorites.createdAt, (row) => row.at],
  [favorites.userId, (row) => row.id],
)

/** Only publicly visible members. */
export const listFans = (db: Db | Tx, groupId: string, after: After) =>
  db
    .select({
      id: users.id,
      username: users.username,
      name: users.name,
      avatarUrl: users.avatarUrl,
      at: favorites.createdAt,
    })
    .from(favorites)
    .innerJoin(users, eq(users.id, favorites.userId))
    .where(and(eq(favorites.groupId, groupId), publicUsers, after))

export async function findGroupWithRole(
  db: Db | Tx,
  groupId: string,
  userId: string,
): Promise<{ group: GroupRow; role: StaffRole | null } | undefined> {
  const [found] = await db
    .select({ group: groups, role: groupMembers.role })
    .from(groups)
    .leftJoin(groupMembers, and(eq(groupMembers.groupId, groups.id), eq(groupMembers.userId, userId)))
    .where(eq(groups.id, groupId))
  return found
}
