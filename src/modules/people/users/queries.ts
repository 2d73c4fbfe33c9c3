import { eq, type SQL, sql, sum } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { isId } from '@/core/ids'
import { type Db, onceBuilt, type Tx } from '@/db/client'
import { isOneOf } from '@/db/comparisons'
import { containing, patched } from '@/db/rows'
import { peopleTally } from '@/db/tables/tallies'
import { users } from '@/db/tables/users'

export type UserRow = typeof users.$inferSelect

/** Publicly visible users, spelled as in the partial indexes. */
export const publicUsers = sql`${users.isPublic}`

/** Triggers maintain this count. */
export async function countPublicPeople(db: Db | Tx): Promise<number> {
  const [found] = await db.select({ people: sum(peopleTally.people).mapWith(Number) }).from(peopleTally)
  return found?.people ?? 0
}

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

export async function findPerson(tx: Tx, idOrUsername: string): Promise<UserRow | undefined> {
  const [found] = await tx
    .select()
    .from(users)
    .where(
      isId(idOrUsername)
        ? eq(users.id, idOrUsername)
        : eq(sql`lower(${users.username})`, idOrUsername.toLowerCase()),
    )
  return found
}

/** Locks in id order, so that concurrent changes wait instead of deadlocking. */
export const lockUsers = (tx: Tx, ids: string[]) =>
  tx.select().from(users).where(isOneOf(users.id, ids)).orderBy(users.id).for('no key update')

const PROFILE = [
  'name',
  'avatarUrl',
  'heroImageUrl',
  'themeColor',
  'username',
  'bio',
  'location',
  'socialLinks',
  'showOnLeaderboard',
  'profileVisibility',
] as const satisfies (keyof UserRow)[]

export const updateProfileOf = (
  tx: Tx,
  id: string,
  change: Partial<Pick<UserRow, (typeof PROFILE)[number]>>,
): Promise<UserRow> => updateUser(tx, id, patched(users, PROFILE, change))

export const updateAccountStatusOf = (
  tx: Tx,
  id: string,
  change: Partial<Pick<UserRow, 'role' | 'suspendedAt'>>,
): Promise<UserRow> => updateUser(tx, id, patched(users, ['role', 'suspendedAt'], change))

async function updateUser(tx: Tx, id: string, change: PgUpdateSetSource<typeof users>): Promise<UserRow> {
  const [row] = await tx
    .update(users)
    .set({ ...change, updatedAt: sql`now()` })
    .where(eq(users.id, id))
    .returning()
  return row as UserRow
}

export const deleteUser = (tx: Tx, id: string) => tx.delete(users).where(eq(users.id, id))

/** Users whose name or username contains the text. Each half uses its own trigram index. */
export function idsNamedLike(search: string): SQL {
  const name = containing(search, [users.name, users.username])
  return sql`select id from users where is_public and ${name} union all select id from users where not is_public and ${name}`
}
