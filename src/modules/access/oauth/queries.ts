import { and, eq, getTableColumns, gte, isNull, lt, notExists, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '@/db/client'
import { deleteInSlices } from '@/db/delete-in-slices'
import {
  oauthAccessTokens,
  oauthClients,
  oauthCodes,
  oauthFamilies,
  oauthGrants,
  oauthRefreshTokens,
} from '@/db/tables/oauth'
import { users } from '@/db/tables/users'

export type Client = typeof oauthClients.$inferSelect & { ownerUsername: string | null }

/** Finds an application, unless its developer is suspended. */
export async function findClient(db: Db | Tx, clientId: string): Promise<Client | undefined> {
  const [row] = await db
    .select({ ...getTableColumns(oauthClients), ownerUsername: users.username })
    .from(oauthClients)
    .leftJoin(users, eq(users.id, oauthClients.ownerId))
    .where(and(eq(oauthClients.clientId, clientId), isNull(users.suspendedAt)))
  return row
}

/** Records a use; returns whether the application still exists. */
export async function touchClient(db: Db | Tx, clientId: string, at: Date): Promise<boolean> {
  const touched = await db
    .update(oauthClients)
    .set({ lastUsedAt: at })
    .where(eq(oauthClients.clientId, clientId))
    .returning({ clientId: oauthClients.clientId })
  return touched.length > 0
}

export type Clients = SQL | undefined

/** Applications registered by a grant. */
export const madeByGrant = (grantId: string): Clients => eq(oauthClients.madeByGrant, grantId)

export type Ended = { clientId: string; ownerId: string | null; logoUri: string | null }

/**
 * Deletes applications recursively with those registered by their grants. The cascade would do the same, but not return which.
 */
export const deleteClients = async (tx: Tx, which: Clients): Promise<Ended[]> =>
  (await tx.execute(sql`
    with recursive ended as (
      select client_id from ${oauthClients} where ${which}
      union
      select made.client_id from ended join ${oauthGrants} held on held.client_id = ended.client_id
        join ${oauthClients} made on made.made_by_grant = held.id
    )
    delete from ${oauthClients} where client_id in (select client_id from ended)
    returning client_id as "clientId", owner_id as "ownerId", logo_uri as "logoUri"`)) as unknown as Ended[]

/** Codes and tokens cascade. */
export const deleteFamily = (tx: Tx, familyId: string) =>
  tx.delete(oauthFamilies).where(eq(oauthFamilies.id, familyId))

/** Codes outlive their minute, to detect a second use. */
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

/** Deletes families without a code or token, except young ones, which may yet get one. */
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

/** Keeps a used refresh token until its last successor has expired: its reuse means theft. */
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
