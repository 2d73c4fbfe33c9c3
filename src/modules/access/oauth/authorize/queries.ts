import { and, arrayOverlaps, eq } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { oauthClients, oauthCodes, oauthFamilies, oauthGrants } from '@/db/tables/oauth'
import { users } from '@/db/tables/users'

export type GrantRow = typeof oauthGrants.$inferSelect

const pair = (userId: string, clientId: string) =>
  and(eq(oauthGrants.userId, userId), eq(oauthGrants.clientId, clientId))

/** Locks an application against deletion; returns whether it still exists. */
export async function holdClient(tx: Tx, clientId: string): Promise<boolean> {
  const held = await tx
    .select({ clientId: oauthClients.clientId })
    .from(oauthClients)
    .where(eq(oauthClients.clientId, clientId))
    .for('key share')
  return held.length > 0
}

/** Locks a person's grant against revocation. */
export async function holdGrant(tx: Tx, userId: string, clientId: string): Promise<GrantRow | undefined> {
  const [row] = await tx.select().from(oauthGrants).where(pair(userId, clientId)).for('key share')
  return row
}

export async function findGrant(
  db: Db | Tx,
  userId: string,
  clientId: string,
): Promise<GrantRow | undefined> {
  const [row] = await db.select().from(oauthGrants).where(pair(userId, clientId))
  return row
}

/** Creates or finds the grant of a pair, locked. */
export async function makeGrant(tx: Tx, row: typeof oauthGrants.$inferInsert): Promise<GrantRow> {
  const [kept] = await tx
    .insert(oauthGrants)
    .values(row)
    .onConflictDoUpdate({
      target: [oauthGrants.userId, oauthGrants.clientId],
      set: { clientId: row.clientId },
    })
    .returning()
  return kept as GrantRow
}

export const changeGrant = (tx: Tx, id: string, change: Pick<GrantRow, 'scopes' | 'declined'>) =>
  tx.update(oauthGrants).set(change).where(eq(oauthGrants.id, id))

/** Revokes everything with any of these scopes: codes and tokens cascade from their family. */
export const deleteFamiliesHolding = (tx: Tx, grantId: string, scopes: string[]) =>
  tx
    .delete(oauthFamilies)
    .where(and(eq(oauthFamilies.grantId, grantId), arrayOverlaps(oauthFamilies.scopes, scopes)))

export const insertFamily = (tx: Tx, row: typeof oauthFamilies.$inferInsert) =>
  tx.insert(oauthFamilies).values(row)

export const insertCode = (tx: Tx, row: typeof oauthCodes.$inferInsert) => tx.insert(oauthCodes).values(row)

export async function findName(db: Db | Tx, userId: string) {
  const [row] = await db
    .select({ name: users.name, username: users.username, email: users.email })
    .from(users)
    .where(eq(users.id, userId))
  return row
}
