import { and, eq, exists, gt, isNull, or } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import {
  oauthAccessTokens,
  oauthCodes,
  oauthFamilies,
  oauthGrants,
  oauthRefreshTokens,
} from '@/db/tables/oauth'
import { users } from '@/db/tables/users'

const family = {
  familyId: oauthFamilies.id,
  grantId: oauthFamilies.grantId,
  scopes: oauthFamilies.scopes,
  currentGeneration: oauthFamilies.generation,
  clientId: oauthGrants.clientId,
  userId: users.id,
  username: users.username,
  role: users.role,
  suspendedAt: users.suspendedAt,
}

/** A token family with its owner and its maximum scopes. */
export type FamilyRow = {
  familyId: string
  grantId: string
  scopes: string[]
  currentGeneration: number
  clientId: string
  userId: string
  username: string | null
  role: 'user' | 'admin'
  suspendedAt: Date | null
}

/** Locks a grant: it creates nothing meanwhile, and its families end sequentially. */
export const lockGrant = (tx: Tx, grantId: string) =>
  tx.select({ id: oauthGrants.id }).from(oauthGrants).where(eq(oauthGrants.id, grantId)).for('update')

/** Whether a grant has a valid refresh token or code. */
export async function hasLivingFamily(tx: Tx, grantId: string, at: Date): Promise<boolean> {
  const refreshable = tx
    .select({ id: oauthRefreshTokens.familyId })
    .from(oauthRefreshTokens)
    .where(and(eq(oauthRefreshTokens.familyId, oauthFamilies.id), gt(oauthRefreshTokens.expiresAt, at)))
  const coming = tx
    .select({ id: oauthCodes.familyId })
    .from(oauthCodes)
    .where(
      and(eq(oauthCodes.familyId, oauthFamilies.id), isNull(oauthCodes.usedAt), gt(oauthCodes.expiresAt, at)),
    )
  const living = await tx
    .select({ id: oauthFamilies.id })
    .from(oauthFamilies)
    .where(and(eq(oauthFamilies.grantId, grantId), or(exists(refreshable), exists(coming))))
    .limit(1)
  return living.length > 0
}

/** Locks a family: its changes are sequential. */
const lockFamily = (tx: Tx, familyId: string) =>
  tx.select({ id: oauthFamilies.id }).from(oauthFamilies).where(eq(oauthFamilies.id, familyId)).for('update')

/** Locks a code's family before reading the code: an earlier read may be stale. */
export async function lockCode(tx: Tx, hash: Uint8Array) {
  const [found] = await tx
    .select({ familyId: oauthCodes.familyId })
    .from(oauthCodes)
    .where(eq(oauthCodes.hash, hash))
  if (!found) return undefined
  await lockFamily(tx, found.familyId)
  const [row] = await tx
    .select({
      redirectUri: oauthCodes.redirectUri,
      challenge: oauthCodes.challenge,
      resource: oauthCodes.resource,
      expiresAt: oauthCodes.expiresAt,
      usedAt: oauthCodes.usedAt,
      ...family,
    })
    .from(oauthCodes)
    .innerJoin(oauthFamilies, eq(oauthFamilies.id, oauthCodes.familyId))
    .innerJoin(oauthGrants, eq(oauthGrants.id, oauthFamilies.grantId))
    .innerJoin(users, eq(users.id, oauthGrants.userId))
    .where(eq(oauthCodes.hash, hash))
  return row
}

/** Uses a code up; false if used or expired. */
export async function useCode(tx: Tx, hash: Uint8Array, at: Date): Promise<boolean> {
  const used = await tx
    .update(oauthCodes)
    .set({ usedAt: at })
    .where(and(eq(oauthCodes.hash, hash), isNull(oauthCodes.usedAt), gt(oauthCodes.expiresAt, at)))
    .returning({ familyId: oauthCodes.familyId })
  return used.length > 0
}

const refresh = {
  generation: oauthRefreshTokens.generation,
  usedAt: oauthRefreshTokens.usedAt,
  expiresAt: oauthRefreshTokens.expiresAt,
  resource: oauthRefreshTokens.resource,
  ...family,
}

export type RefreshRow = FamilyRow & {
  generation: number
  usedAt: Date | null
  expiresAt: Date
  resource: string | null
}

const selectRefresh = (db: Db | Tx) =>
  db
    .select(refresh)
    .from(oauthRefreshTokens)
    .innerJoin(oauthFamilies, eq(oauthFamilies.id, oauthRefreshTokens.familyId))
    .innerJoin(oauthGrants, eq(oauthGrants.id, oauthFamilies.grantId))
    .innerJoin(users, eq(users.id, oauthGrants.userId))

export async function findRefreshToken(db: Db | Tx, hash: Uint8Array): Promise<RefreshRow | undefined> {
  const [row] = await selectRefresh(db).where(eq(oauthRefreshTokens.hash, hash))
  return row
}

/** Locks a refresh token and its family, and reads them after the wait. */
export async function lockRefreshToken(tx: Tx, hash: Uint8Array): Promise<RefreshRow | undefined> {
  const [row] = await selectRefresh(tx)
    .where(eq(oauthRefreshTokens.hash, hash))
    .for('update', { of: [oauthFamilies, oauthRefreshTokens] })
  return row
}

export async function insertRefreshToken(tx: Tx, row: typeof oauthRefreshTokens.$inferInsert) {
  await tx.insert(oauthRefreshTokens).values(row)
}

/** Rotates: marks the refresh token as used and advances its family. */
export async function advanceFamily(tx: Tx, familyId: string, generation: number, at: Date): Promise<void> {
  await tx
    .update(oauthRefreshTokens)
    .set({ usedAt: at })
    .where(and(eq(oauthRefreshTokens.familyId, familyId), eq(oauthRefreshTokens.generation, generation)))
  await tx
    .update(oauthFamilies)
    .set({ generation: generation + 1 })
    .where(and(eq(oauthFamilies.id, familyId), eq(oauthFamilies.generation, generation)))
}

export const insertAccessToken = (tx: Tx, row: typeof oauthAccessTokens.$inferInsert) =>
  tx.insert(oauthAccessTokens).values(row)

export async function findAccess(db: Db | Tx, hash: Uint8Array) {
  const [row] = await db
    .select({
      ...family,
      id: oauthAccessTokens.id,
      scopes: oauthAccessTokens.scopes,
      resource: oauthAccessTokens.resource,
      expiresAt: oauthAccessTokens.expiresAt,
      createdAt: oauthAccessTokens.createdAt,
    })
    .from(oauthAccessTokens)
    .innerJoin(oauthFamilies, eq(oauthFamilies.id, oauthAccessTokens.familyId))
    .innerJoin(oauthGrants, eq(oauthGrants.id, oauthFamilies.grantId))
    .innerJoin(users, eq(users.id, oauthGrants.userId))
    .where(eq(oauthAccessTokens.hash, hash))
  return row
}

export const deleteAccessToken = (tx: Tx, id: string) =>
  tx.delete(oauthAccessTokens).where(eq(oauthAccessTokens.id, id))
