import { eq, sql } from 'drizzle-orm'
import { type Db, onceBuilt, type Tx } from '@/db/client'
import { lockParent } from '@/db/quotas'
import { feedTokens } from '@/db/tables/feeds'
import { users } from '@/db/tables/users'

export type FeedTokenRow = typeof feedTokens.$inferSelect

/** Locks until commit: a concurrent request for the same person waits and finds the token. */
export const lockOwner = (tx: Tx, userId: string) => lockParent(tx, [users.id, userId])

export const findFeedToken = async (
  db: Db | Tx,
  userId: string,
): Promise<Pick<FeedTokenRow, 'id' | 'sealed'> | undefined> =>
  (
    await db
      .select({ id: feedTokens.id, sealed: feedTokens.sealed })
      .from(feedTokens)
      .where(eq(feedTokens.userId, userId))
  )[0]

export const insertFeedToken = (tx: Tx, row: typeof feedTokens.$inferInsert) =>
  tx.insert(feedTokens).values(row).execute()

/** Returns whether one existed. */
export const deleteFeedTokenOf = async (tx: Tx, userId: string): Promise<boolean> =>
  (await tx.delete(feedTokens).where(eq(feedTokens.userId, userId)).returning({ id: feedTokens.id })).length >
  0

const ownerByHash = onceBuilt((db) =>
  db
    .select({ userId: users.id, tokenId: feedTokens.id, suspendedAt: users.suspendedAt })
    .from(feedTokens)
    .innerJoin(users, eq(users.id, feedTokens.userId))
    .where(eq(feedTokens.hash, sql.placeholder('hash')))
    .prepare('feed_token_owner'),
)

export const findOwnerByHash = async (hash: Uint8Array) => (await ownerByHash().execute({ hash }))[0]
