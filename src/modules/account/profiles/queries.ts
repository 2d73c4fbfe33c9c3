import { and, eq, like, or, type SQL, sql } from 'drizzle-orm'
import { type Db, onceBuilt, type Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { type After, descending } from '@/db/keyset'
import { literal } from '@/db/like'
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
) =>
  db
    .select()
    .from(users)
    .where(
      and(
        publicUsers,
        filters(
          search === undefined ? undefined : matches(search),
          slugs.length === 0 ? undefined : holdsBadges(slugs),
        ),
        after,
      ),
    )

/** Holders of all of these badges; hidden badges, and those of unlisted groups, match nobody. */
const holdsBadges = (slugs: string[]) => sql`not exists (
  select from unnest(${sql.param(slugs)}::text[]) as wanted (slug) where not exists (
    select 1 from badge_awards award join badges badge on badge.id = award.badge_id
      left join groups home on home.id = badge.group_id
    where award.user_id = ${users.id} and badge.slug = wanted.slug and not badge.hidden
      and (badge.group_id is null or home.is_listed)))`

/** Matches parts of a name by trigrams; one or two letters have none, so they are taken as beginnings. */
function matches(search: string): SQL | undefined {
  const text = literal(search)
  const [name, username] = [sql`lower(${users.name})`, sql`lower(${users.username})`]
  if ([...search].length > 2) return or(like(name, `%${text}%`), like(username, `%${text}%`))
  return or(like(name, `${text}%`), like(name, `% ${text}%`), like(username, `${text}%`))
}
