import { and, eq, gt, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { type After, descending } from '@/db/keyset'
import { sessions } from '@/db/tables/credentials'

export type SessionRow = typeof sessions.$inferSelect

export const NEWEST_FIRST = descending<SessionRow>(
  [sessions.createdAt, (row) => row.createdAt],
  [sessions.id, (row) => row.id],
)

export const listSessionsOf = (db: Db | Tx, userId: string, after: After) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`), after))

export async function deleteSession(tx: Tx, userId: string, id: string): Promise<boolean> {
  const ended = await tx
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.id, id)))
    .returning({ id: sessions.id })
  return ended.length > 0
}

export const deleteOtherSessions = (tx: Tx, userId: string, id: string) =>
  tx.delete(sessions).where(and(eq(sessions.userId, userId), ne(sessions.id, id)))
