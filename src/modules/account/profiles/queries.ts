import { and, eq, like, or, type SQL, sql } from 'drizzle-orm'
import { type Db, onceBuilt, type Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { type After, type Cut, descending } from '@/db/keyset'
import { literal } from '@/db/rows'
import { hitsOf } from '@/db/search'
import { filters } from '@/db/statement-names'
import { favorites, groups } from '@/db/tables/groups'
import { portfolioItems } from '@/db/tables/people'
import { identities } from '@/db/tables/sign-in'
import { users } from '@/db/tables/users'
import { publicUsers, type UserRow } from '@/modules/people/users/queries'

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

export const directoryOrder = (sort: DirectorySort) =>
  descending<UserRow>(
    [SORTED_BY[sort], (row) => (sort === 'joined' ? row.createdAt : sort === 'xp' ? row.xp : row.badgeCount)],
    [users.id, (row) => row.id],
  )

export const listPublicUsers = (
  db: Db | Tx,
  { search, slugs }: { search: string | undefined; slugs: string[] },
  after: After,
  cut: Cut,
) => {
  if (search === undefined && slugs.length === 0)
    return db.select().from(users).where(and(publicUsers, after))
  const named = search === undefined ? undefined : matches(search)
  const hits = hitsOf({
    table: users,
    id: users.id,
    visible: publicUsers,
    match: and(named, holdsBadges(slugs)),
    found: and(named, ...slugs.map(isHolderOf)),
    after,
    cut,
  })
  return db
    .select()
    .from(users)
    .where(filters(sql`${users.id} = any(array(${hits}))`))
}

/** Public awards: those of hidden badges or unlisted groups match no one. */
const shownAwards = (which: SQL) => sql`
  select award.user_id from badge_awards award join badges badge on badge.id = award.badge_id
    left join groups home on home.id = badge.group_id
  where ${which} and not badge.hidden
    and (badge.group_id is null or home.is_listed)`

/** Holders of all these badges, checked per person. */
const holdsBadges = (slugs: string[]) => sql`not exists (
  select from unnest(${sql.param(slugs)}::text[]) as wanted (slug) where not exists (
    ${shownAwards(sql`award.user_id = ${users.id} and badge.slug = wanted.slug`)}))`

/** Holders of one badge, found by its awards. */
const isHolderOf = (slug: string) => sql`${users.id} in (${shownAwards(sql`badge.slug = ${slug}`)})`

/** Matches parts of a name by trigrams; one or two letters have none, so they match prefixes. */
function matches(search: string): SQL | undefined {
  const text = literal(search)
  const [name, username] = [sql`lower(${users.name})`, sql`lower(${users.username})`]
  if ([...search].length > 2) return or(like(name, `%${text}%`), like(username, `%${text}%`))
  return or(like(name, `${text}%`), like(name, `% ${text}%`), like(username, `${text}%`))
}
