import { eq, sql } from 'drizzle-orm'
import { onceBuilt } from '@/db/client'
import { users } from '@/db/tables/users'

const userById = onceBuilt((db) =>
  db
    .select()
    .from(users)
    .where(eq(users.id, sql.placeholder('id')))
    .prepare('user_by_id'),
)

export type UserRow = typeof users.$inferSelect

export const findUser = async (id: string): Promise<UserRow | null> =>
  (await userById().execute({ id }))[0] ?? null
