import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { type Db, onceBuilt, type Tx } from '@/db/client'
import { personalTokens, sessions } from '@/db/tables/credentials'
import { users } from '@/db/tables/users'

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
  tx
    .update(personalTokens)
    .set({ lastUsedAt: at })
    .where(sql`${personalTokens.id} = any(${sql.param(ids)}::uuid[])`)

/** Sliding: each sighting moves the end away, but never brings an ended session back. */
export const touchSessions = (tx: Db | Tx, ids: string[], at: Date, expiresAt: Date) =>
  tx
    .update(sessions)
    .set({ lastSeenAt: at, expiresAt })
    .where(and(sql`${sessions.id} = any(${sql.param(ids)}::uuid[])`, gt(sessions.expiresAt, at)))

export const deleteEndedSessions = (tx: Db | Tx, at: Date) =>
  tx.delete(sessions).where(lt(sessions.expiresAt, at))
