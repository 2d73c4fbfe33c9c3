import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { identities } from '@/db/tables/sign-in'

export type IdentityRow = typeof identities.$inferSelect

export const listIdentities = (db: Db | Tx, userId: string) =>
  db
    .select()
    .from(identities)
    .where(eq(identities.userId, userId))
    .orderBy(identities.createdAt, identities.id)

export const deleteIdentity = (tx: Tx, userId: string, provider: string) =>
  tx.delete(identities).where(and(eq(identities.userId, userId), eq(identities.provider, provider)))
