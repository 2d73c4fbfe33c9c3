import { and, eq, exists, inArray, like, or, type SQL, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import { type Db, onceBuilt, type Tx } from '@/db/client'
import { is } from '@/db/is'
import type { Order, Slice } from '@/db/keyset'
import { literal } from '@/db/like'
import { favorites, groups } from '@/db/tables/groups'
import { follows, portfolioItems } from '@/db/tables/people'
import { identities } from '@/db/tables/sign-in'
import { users } from '@/db/tables/users'

export type UserRow = typeof users.$inferSelect

/** Whom strangers may know of, in the words of the indexes. */
export const publicUsers = sql`${users.isPublic}`

const userById = onceBuilt((db) =>
  db
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare('user_by_id'),
)

export const findUser = async (id: string): Promise<UserRow | null> =>
  (await userById().execute({ id }))[0] ?? null

const idByUsername = onceBuilt((db) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(eq(sql`lower(${users.username})`, sql.placeholder('username')))
    .prepare('id_by_username'),
)

export const findIdByUsername = async (username: string): Promise<string | null> =>
  (await idByUsername().execute({ username: username.toLowerCase() }))[0]?.id ?? null

const portfolioOf = onceBuilt((db) =>
  db
    .select()
    .from(portfolioItems)
    .where(eq(portfolioItems.userId, sql.placeholder('userId')))
    .orderBy(portfolioItems.sortOrder, portfolioItems.id)
    .limit(100)
    .prepare('portfolio_of'),
)

export const findPortfolio = (userId: string) => portfolioOf().execute({ userId })

const favoritesOf = onceBuilt((db) =>
  db
    .select({ slug: groups.urlname, name: groups.name, photoUrl: groups.photoUrl })
    .from(favorites)
    .innerJoin(groups, eq(groups.id, favorites.groupId))
    .where(and(eq(favorites.userId, sql.placeholder('userId')), groups.isListed))
    .orderBy(favorites.createdAt, favorites.groupId)
    .limit(100)
    .prepare('favorites_of'),
)

export const findFavoriteGroups = (userId: string) => favoritesOf().execute({ userId })

const githubOf = onceBuilt((db) =>
  db
    .select({ username: identities.username })
    .from(identities)
    .where(and(eq(identities.userId, sql.placeholder('userId')), is(identities.provider, 'github')))
    .prepare('github_of'),
)

export const findGithubUsername = async (userId: string): Promise<string | null> =>
  (await githubOf().execute({ userId }))[0]?.username ?? null

const SORTED_BY = { joined: users.createdAt, xp: users.xp, badges: users.badgeCount }

export type DirectorySort = keyof typeof SORTED_BY

export const directoryOrder = (sort: DirectorySort): Order<UserRow> => ({
  direction: 'desc',
  keys: [
    {
      column: SORTED_BY[sort],
      of: (row) => (sort === 'joined' ? row.createdAt : sort === 'xp' ? row.xp : row.badgeCount),
    },
    { column: users.id, of: (row) => row.id },
  ],
})

export const listPublicUsers = (
  db: Db | Tx,
  { search, slugs }: { search: string | undefined; slugs: string[] },
  { after, orderBy, limit, offset }: Slice,
) =>
  db
    .select()
    .from(users)
    .where(
      and(publicUsers, search === undefined ? undefined : matches(search), ...slugs.map(holdsBadge), after),
    )
    .orderBy(orderBy)
    .limit(limit)
    .offset(offset)

/** Hidden badges, and those of unlisted groups, find nobody. */
const holdsBadge = (slug: string) => sql`exists (
  select 1 from badge_awards award join badges badge on badge.id = award.badge_id
    left join groups home on home.id = badge.group_id
  where award.user_id = ${users.id} and badge.slug = ${slug} and not badge.hidden
    and (badge.group_id is null or home.is_listed))`

/** Parts of a name are found by trigrams; one or two letters have none, so they are taken as beginnings. */
function matches(search: string): SQL | undefined {
  const text = literal(search)
  const [name, username] = [sql`lower(${users.name})`, sql`lower(${users.username})`]
  if ([...search].length > 2) return or(like(name, `%${text}%`), like(username, `%${text}%`))
  return or(like(name, `${text}%`), like(name, `% ${text}%`), like(username, `${text}%`))
}

/** Whoever makes or ends a follow holds both people's circles together with others who do. */
export const enterCircles = (tx: Tx, ids: string[]) =>
  tx.execute(
    sql`select pg_advisory_xact_lock_shared(hashtextextended(id, 0)) from unnest(${sql.param(ids)}::text[]) as id`,
  )

/** Holds a person's circle alone: nobody begins or ceases to follow them meanwhile. */
export const closeCircle = (tx: Tx, id: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`)

/** Locks people in one order, so that two changes of the same people wait instead of meeting head-on. */
export const lockUsers = (tx: Tx, ids: string[]) =>
  tx.select().from(users).where(inArray(users.id, ids)).orderBy(users.id).for('no key update')

/** Everyone who follows or is followed by a person. */
export async function findNeighbours(tx: Tx, userId: string): Promise<string[]> {
  const followed = tx.select({ id: follows.followeeId }).from(follows).where(eq(follows.followerId, userId))
  const followers = tx.select({ id: follows.followerId }).from(follows).where(eq(follows.followeeId, userId))
  return (await union(followed, followers)).map(({ id }) => id)
}

const isAmong = (ids: string[]) => sql`${users.id} = any(${sql.param(ids)}::uuid[])`

/** As `lockUsers` does, for so many people that nobody wants to look at them. */
export const lockMany = (tx: Tx, ids: string[]) =>
  tx.select({ locked: sql`1` }).from(users).where(isAmong(ids)).orderBy(users.id).for('no key update')

/** One person more or less, in the counts of these neighbours. Each is written once, even those who are both. */
export const addToCounts = (tx: Tx, userId: string, neighbours: string[], change: number) =>
  tx
    .update(users)
    .set({
      followerCount: sql`${users.followerCount} + ${change} * (${hasFollow(tx, userId, users.id)})::int`,
      followingCount: sql`${users.followingCount} + ${change} * (${hasFollow(tx, users.id, userId)})::int`,
    })
    .where(isAmong(neighbours))

type Person = string | typeof users.id

const hasFollow = (tx: Tx, follower: Person, followee: Person) =>
  exists(
    tx
      .select({ one: sql`1` })
      .from(follows)
      .where(and(eq(follows.followerId, follower), eq(follows.followeeId, followee))),
  )

export async function updateUser(
  tx: Tx,
  id: string,
  change: Partial<typeof users.$inferInsert>,
): Promise<UserRow> {
  const [row] = await tx
    .update(users)
    .set({ ...change, updatedAt: sql`now()` })
    .where(eq(users.id, id))
    .returning()
  return row as UserRow
}

export const deleteUser = (tx: Tx, id: string) => tx.delete(users).where(eq(users.id, id))
