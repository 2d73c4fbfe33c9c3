import { and, eq, gt, isNull, lte, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { type After, descending } from '@/db/keyset'
import { entitlements } from '@/db/tables/administration'

export type EntitlementRow = typeof entitlements.$inferSelect

const unexpired = (at: Date) => or(isNull(entitlements.expiresAt), gt(entitlements.expiresAt, at))

export const NEWEST_FIRST = descending<EntitlementRow>(
  [entitlements.grantedAt, (row) => row.grantedAt],
  [entitlements.id, (row) => row.id],
)

export const listEntitlementsOf = (db: Db | Tx, userId: string, at: Date, after: After) =>
  db
    .select()
    .from(entitlements)
    .where(and(eq(entitlements.userId, userId), unexpired(at), after))

export const countEntitlementsOf = (db: Db | Tx, userId: string, at: Date) =>
  db.$count(entitlements, and(eq(entitlements.userId, userId), unexpired(at)))

/** Grants an entitlement, replacing an expired one. Returns undefined if the person already has it. */
export async function grantEntitlement(
  tx: Tx,
  row: Omit<EntitlementRow, 'grantedAt'>,
  at: Date,
): Promise<EntitlementRow | undefined> {
  const [granted] = await tx
    .insert(entitlements)
    .values({ ...row, grantedAt: at })
    .onConflictDoUpdate({
      target: [entitlements.userId, entitlements.entitlement],
      set: {
        id: sql`excluded.id`,
        grantedAt: sql`excluded.granted_at`,
        expiresAt: sql`excluded.expires_at`,
        source: sql`excluded.source`,
      },
      setWhere: lte(entitlements.expiresAt, at),
    })
    .returning()
  return granted
}

export async function deleteEntitlement(
  tx: Tx,
  userId: string,
  id: string,
): Promise<EntitlementRow | undefined> {
  const [deleted] = await tx
    .delete(entitlements)
    .where(and(eq(entitlements.id, id), eq(entitlements.userId, userId)))
    .returning()
  return deleted
}

/** Returns false if the person has no valid one. */
export async function consumeEntitlement(
  tx: Tx,
  userId: string,
  entitlement: string,
  at: Date,
): Promise<boolean> {
  const consumed = await tx
    .delete(entitlements)
    .where(and(eq(entitlements.userId, userId), eq(entitlements.entitlement, entitlement), unexpired(at)))
    .returning({ id: entitlements.id })
  return consumed.length > 0
}
