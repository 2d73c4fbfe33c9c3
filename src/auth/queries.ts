import { and, eq, gt, inArray, lt, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { type Db, onceBuilt, type Tx } from '@/db/client'
import { isOneOf } from '@/db/comparisons'
import { deleteInSlices } from '@/db/delete-in-slices'
import { personalTokens, sessions } from '@/db/tables/credentials'
import { oauthAccessTokens, oauthClients, oauthFamilies, oauthGrants } from '@/db/tables/oauth'
import { users } from '@/db/tables/users'
import { webhooks } from '@/db/tables/webhooks'

const owner = { userId: users.id, role: users.role, suspendedAt: users.suspendedAt }

const tokenByHash = onceBuilt((db) =>
  db
    .select({
      id: personalTokens.id,
      scopes: personalTokens.scopes,
      expiresAt: personalTokens.expiresAt,
      lastUsedAt: personalTokens.lastUsedAt,
      ...owner,
    })
    .from(personalTokens)
    .innerJoin(users, eq(users.id, personalTokens.userId))
    .where(eq(personalTokens.hash, sql.placeholder('hash')))
    .prepare('token_by_hash'),
)

export const findToken = async (hash: Uint8Array) => (await tokenByHash().execute({ hash }))[0]

const appOwners = alias(users, 'app_owners')

const accessTokenByHash = onceBuilt((db) =>
  db
    .select({
      id: oauthAccessTokens.id,
      scopes: oauthAccessTokens.scopes,
      resource: oauthAccessTokens.resource,
      lastUsedAt: oauthGrants.lastUsedAt,
      expiresAt: oauthAccessTokens.expiresAt,
      clientId: oauthClients.clientId,
      grantId: oauthGrants.id,
      appOwnerId: oauthClients.ownerId,
      appOwnerSuspendedAt: appOwners.suspendedAt,
      ...owner,
    })
    .from(oauthAccessTokens)
    .innerJoin(oauthFamilies, eq(oauthFamilies.id, oauthAccessTokens.familyId))
    .innerJoin(oauthGrants, eq(oauthGrants.id, oauthFamilies.grantId))
    .innerJoin(oauthClients, eq(oauthClients.clientId, oauthGrants.clientId))
    .innerJoin(users, eq(users.id, oauthGrants.userId))
    .leftJoin(appOwners, eq(appOwners.id, oauthClients.ownerId))
    .where(eq(oauthAccessTokens.hash, sql.placeholder('hash')))
    .prepare('access_token_by_hash'),
)

export const findAccessToken = async (hash: Uint8Array) => (await accessTokenByHash().execute({ hash }))[0]

const sessionByHash = onceBuilt((db) =>
  db
    .select({ id: sessions.id, expiresAt: sessions.expiresAt, lastSeenAt: sessions.lastSeenAt, ...owner })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.hash, sql.placeholder('hash')))
    .prepare('session_by_hash'),
)

export const findSession = async (hash: Uint8Array) => (await sessionByHash().execute({ hash }))[0]

export const insertSession = (tx: Db | Tx, row: typeof sessions.$inferInsert) =>
  tx.insert(sessions).values(row)

export const touchTokens = (tx: Db | Tx, ids: string[], at: Date) =>
  tx.update(personalTokens).set({ lastUsedAt: at }).where(isOneOf(personalTokens.id, ids))

export const touchGrants = (tx: Db | Tx, ids: string[], at: Date) =>
  tx.update(oauthGrants).set({ lastUsedAt: at }).where(isOneOf(oauthGrants.id, ids))

/** Sessions slide: each use extends them, but never revives an ended one. */
export const touchSessions = (tx: Db | Tx, ids: string[], at: Date, expiresAt: Date) =>
  tx
    .update(sessions)
    .set({ lastSeenAt: at, expiresAt })
    .where(and(isOneOf(sessions.id, ids), gt(sessions.expiresAt, at)))

/** Returns the owner of the session. */
export const deleteSessionByHash = async (tx: Tx, hash: Uint8Array): Promise<string | undefined> =>
  (await tx.delete(sessions).where(eq(sessions.hash, hash)).returning({ userId: sessions.userId }))[0]?.userId

export const deleteSessionsOf = (tx: Tx, userId: string) =>
  tx.delete(sessions).where(eq(sessions.userId, userId))

export const deleteEndedSessions = (db: Db, at: Date) =>
  deleteInSlices(db, sessions, { old: lt(sessions.expiresAt, at), by: [sessions.expiresAt, sessions.id] })

/** Deletes expired tokens, except those that created a webhook or other tokens, which would be deleted with them. */
export const deleteExpiredTokens = (db: Db, before: Date) =>
  deleteInSlices(db, personalTokens, {
    old: lt(personalTokens.expiresAt, before),
    by: [personalTokens.expiresAt, personalTokens.id],
    only: sql`not exists (select 1 from ${webhooks} where ${webhooks.madeByToken} = ${personalTokens.id})
      and not exists (select 1 from ${personalTokens} made where made.made_by = ${personalTokens.id})`,
  })

/** Ends every session and token of a person, except the session to keep. Grants stay; the tokens of applications do not. */
export async function deleteCredentialsOf(tx: Tx, userId: string, exceptSession?: string): Promise<void> {
  await tx
    .delete(sessions)
    .where(
      and(
        eq(sessions.userId, userId),
        exceptSession === undefined ? undefined : ne(sessions.id, exceptSession),
      ),
    )
  await tx.delete(personalTokens).where(eq(personalTokens.userId, userId))
  const grants = tx.select({ id: oauthGrants.id }).from(oauthGrants).where(eq(oauthGrants.userId, userId))
  await tx.delete(oauthFamilies).where(inArray(oauthFamilies.grantId, grants))
}

/** Locks an access token; returns whether it still exists. Locks the grant first, like all code that ends both. */
export async function holdAccessToken(tx: Tx, id: string, grantId: string): Promise<boolean> {
  await tx
    .select({ id: oauthGrants.id })
    .from(oauthGrants)
    .where(eq(oauthGrants.id, grantId))
    .for('key share')
  const held = await tx
    .select({ id: oauthAccessTokens.id })
    .from(oauthAccessTokens)
    .where(eq(oauthAccessTokens.id, id))
    .for('key share')
  return held.length > 0
}
