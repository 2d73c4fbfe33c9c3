import { eq, like, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { personalTokens } from '@/db/tables/credentials'
import { follows, portfolioItems } from '@/db/tables/people'
import { users } from '@/db/tables/users'

export const insertPeople = (tx: Tx, rows: (typeof users.$inferInsert)[]) =>
  tx.insert(users).values(rows).onConflictDoNothing()

export const insertFollows = (tx: Tx, rows: (typeof follows.$inferInsert)[]) =>
  tx.insert(follows).values(rows).onConflictDoNothing()

export const insertPortfolio = (tx: Tx, rows: (typeof portfolioItems.$inferInsert)[]) =>
  tx.insert(portfolioItems).values(rows)

/** The counts that following would have kept, had all of it not happened at once. */
export const countFollows = (tx: Tx) =>
  tx.execute(sql`update users u set
    follower_count = (select count(*) from follows f join users o on o.id = f.follower_id
      where f.followee_id = u.id and o.profile_visibility = 'public'),
    following_count = (select count(*) from follows f join users o on o.id = f.followee_id
      where f.follower_id = u.id and o.profile_visibility = 'public')`)

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
