import { and, eq, gt, isNull, lt, notExists, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { is, isNot } from '@/db/comparisons'
import { complete } from '@/db/rows'
import { oauthClients, oauthFamilies, oauthGrants, oauthRefreshTokens } from '@/db/tables/oauth'
import type { Clients } from '../queries'

export type ClientRow = typeof oauthClients.$inferSelect

export type NewClient = typeof oauthClients.$inferInsert & { registrationHash: Uint8Array }

/** Inserts an application; public ones with the same metadata share the first row. */
export async function insertClient(db: Db | Tx, row: NewClient, at: Date): Promise<ClientRow> {
  const [kept] = await db
    .insert(oauthClients)
    .values(complete(oauthClients, row))
    .onConflictDoUpdate({
      target: oauthClients.registrationHash,
      targetWhere: is(oauthClients.authMethod, 'none'),
      set: { lastUsedAt: at },
    })
    .returning()
  return kept as ClientRow
}

export async function findPublicClient(db: Db | Tx, hash: Uint8Array): Promise<ClientRow | undefined> {
  const [row] = await db
    .select()
    .from(oauthClients)
    .where(and(eq(oauthClients.registrationHash, hash), is(oauthClients.authMethod, 'none')))
  return row
}

/** Whether a confidential application with this metadata exists. */
export async function isRegistered(db: Db | Tx, hash: Uint8Array): Promise<boolean> {
  const rows = await db
    .select({ one: sql`1` })
    .from(oauthClients)
    .where(and(eq(oauthClients.registrationHash, hash), isNot(oauthClients.authMethod, 'none')))
    .limit(1)
  return rows.length > 0
}

/** Locks ownerless applications last used before then; skips those in a consent right now. */
export async function lockUnusedClients(tx: Tx, before: Date, at: Date, limit: number): Promise<string[]> {
  const rows = await tx
    .select({ clientId: oauthClients.clientId })
    .from(oauthClients)
    .where(
      and(
        isNull(oauthClients.ownerId),
        lt(oauthClients.createdAt, before),
        sql`coalesce(${oauthClients.lastUsedAt}, ${oauthClients.createdAt}) < ${sql.param(before, oauthClients.createdAt)}`,
        holdsNothing(tx, at),
      ),
    )
    .limit(limit)
    .for('update', { skipLocked: true })
  return rows.map(({ clientId }) => clientId)
}

/** Checks again under lock, so that no consent can happen meanwhile. */
export const stillUnused = (tx: Tx, clientIds: string[], at: Date): Clients =>
  and(sql`${oauthClients.clientId} = any(${sql.param(clientIds)}::text[])`, holdsNothing(tx, at))

/** No valid refresh token exists. */
const holdsNothing = (tx: Tx, at: Date) =>
  notExists(
    tx
      .select({ one: sql`1` })
      .from(oauthGrants)
      .innerJoin(oauthFamilies, eq(oauthFamilies.grantId, oauthGrants.id))
      .innerJoin(oauthRefreshTokens, eq(oauthRefreshTokens.familyId, oauthFamilies.id))
      .where(and(eq(oauthGrants.clientId, oauthClients.clientId), gt(oauthRefreshTokens.expiresAt, at))),
  )
