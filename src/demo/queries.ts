import { eq, like } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { personalTokens } from '@/db/tables/credentials'
import { users } from '@/db/tables/users'

export const insertPeople = (tx: Tx, rows: (typeof users.$inferInsert)[]) =>
  tx.insert(users).values(rows).onConflictDoNothing()

export const peopleOf = (db: Db | Tx, domain: string) =>
  db
    .select({ id: users.id, username: users.username, role: users.role })
    .from(users)
    .where(like(users.email, `%@${domain}`))
    .orderBy(users.id)

export const replaceTokensNamed = async (
  tx: Tx,
  name: string,
  rows: (typeof personalTokens.$inferInsert)[],
) => {
  await tx.delete(personalTokens).where(eq(personalTokens.name, name))
  await tx.insert(personalTokens).values(rows)
}

export const countTokensNamed = (db: Db, name: string) =>
  db.$count(personalTokens, eq(personalTokens.name, name))
