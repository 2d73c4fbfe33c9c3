import { and, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { type After, descending, type Rows } from '@/db/keyset'
import { favorites, groups } from '@/db/tables/groups'
import type { GroupRow } from '@/modules/community/groups/queries'

export type FavoriteRow = { group: GroupRow; at: Date }

export const NEWEST_FIRST = descending<FavoriteRow>(
  [favorites.createdAt, (row) => row.at],
  [favorites.groupId, ({ group }) => group.id],
)

export const listFavoritesOf = (db: Db | Tx, userId: string, after: After): Rows<FavoriteRow> =>
  db
    .select({ group: groups, at: favorites.createdAt })
    .from(favorites)
    .innerJoin(groups, eq(groups.id, favorites.groupId))
    .where(and(eq(favorites.userId, userId), is(groups.isListed, true), after))

/**
 * Locks the group before the favorite, in the same order as group deletion: another order deadlocks, because the favorite also
 * updates the group's count.
 */
export async function lockGroupNamed(tx: Tx, slug: string): Promise<GroupRow | undefined> {
  const [found] = await tx
    .select()
    .from(groups)
    .where(eq(sql`lower(${groups.urlname})`, slug.toLowerCase()))
    .for('no key update')
  return found
}

export const isFavorite = async (db: Db | Tx, userId: string, groupId: string): Promise<boolean> =>
  (await db.$count(favorites, and(eq(favorites.userId, userId), eq(favorites.groupId, groupId)))) > 0

/** Returns false if the group already was a favorite. */
export async function insertFavorite(tx: Tx, userId: string, groupId: string): Promise<boolean> {
  const added = await tx
    .insert(favorites)
    .values({ userId, groupId })
    .onConflictDoNothing()
    .returning({ at: favorites.createdAt })
  return added.length > 0
}

/** Returns false if the group was no favorite. */
export async function deleteFavorite(tx: Tx, userId: string, groupId: string): Promise<boolean> {
  const ended = await tx
    .delete(favorites)
    .where(and(eq(favorites.userId, userId), eq(favorites.groupId, groupId)))
    .returning({ at: favorites.createdAt })
  return ended.length > 0
}
