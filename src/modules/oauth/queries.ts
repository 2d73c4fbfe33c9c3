import { and, eq, getTableColumns, gte, lt, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '@/db/client'
import { deleteInSlices } from '@/db/slices'
import {
  oauthAccessTokens,
  oauthClients,
  oauthCodes,
  oauthFamilies,
  oauthRefreshTokens,
} from '@/db/tables/oauth'
import { users } from '@/db/tables/users'

export type Client = typeof oauthClients.$inferSelect & { ownerUsername: string | null }

export async function findClient(db: Db | Tx, clientId: string): Promise<Client | undefined> {
  const [row] = await db
    .select({ ...getTableColumns(oauthClients), ownerUsername: users.username })
    .from(oauthClients)
    .leftJoin(users, eq(users.id, oauthClients.ownerId))
    .where(eq(oauthClients.clientId, clientId))
  return row
}

export const touchClient = (db: Db | Tx, clientId: string, at: Date) =>
  db.update(oauthClients).set({ lastUsedAt: at }).where(eq(oauthClients.clientId, clientId))

/** Codes and tokens go with their family. */
export const deleteFamily = (tx: Tx, familyId: string) =>
  tx.delete(oauthFamilies).where(eq(oauthFamilies.id, familyId))

/** Codes outlive their minute, so that a second use is noticed. */
export const deleteOldCodes = (db: Db, expiredBefore: Date) =>
  deleteInSlices(db, oauthCodes, {
    old: lt(oauthCodes.expiresAt, expiredBefore),
    by: [oauthCodes.expiresAt, oauthCodes.hash],
  })

export const deleteExpiredAccessTokens = (db: Db, at: Date) =>
  deleteInSlices(db, oauthAccessTokens, {
    old: lt(oauthAccessTokens.expiresAt, at),
    by: [oauthAccessTokens.expiresAt, oauthAccessTokens.id],
  })

/** Families that have neither a code nor a token left. Those that are young may yet get one. */
export const deleteEmptyFamilies = (db: Db, bornBefore: Date) =>
  deleteInSlices(db, oauthFamilies, {
    old: lt(oauthFamilies.createdAt, bornBefore),
    by: [oauthFamilies.id],
    only: and(
      ...[oauthCodes, oauthRefreshTokens, oauthAccessTokens].map((table) =>
        notExists(db.select({ one: sql`1` }).from(table).where(eq(table.familyId, oauthFamilies.id))),
      ),
    ),
  })

const later = alias(oauthRefreshTokens, 'later')

/** One that was used is kept until its last successor has expired: whoever shows it before has stolen it. */
export const deleteExpiredRefreshTokens = (db: Db, at: Date) =>
  deleteInSlices(db, oauthRefreshTokens, {
    old: lt(oauthRefreshTokens.expiresAt, at),
    by: [oauthRefreshTokens.expiresAt, oauthRefreshTokens.familyId, oauthRefreshTokens.generation],
    only: notExists(
      db
        .select({ one: sql`1` })
        .from(later)
        .where(and(eq(later.familyId, oauthRefreshTokens.familyId), gte(later.expiresAt, at))),
    ),
  })
