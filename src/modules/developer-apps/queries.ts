import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { isNot } from '@/db/is'
import { oauthClients, oauthGrants } from '@/db/tables/oauth'
import { users } from '@/db/tables/users'

type ClientRow = typeof oauthClients.$inferSelect

export type AppChange = Partial<
  Pick<ClientRow, 'name' | 'description' | 'redirectUris' | 'website' | 'logoUri' | 'policyUri' | 'tosUri'>
>

const shown = {
  clientId: oauthClients.clientId,
  name: oauthClients.name,
  description: oauthClients.description,
  redirectUris: oauthClients.redirectUris,
  website: oauthClients.website,
  logoUri: oauthClients.logoUri,
  policyUri: oauthClients.policyUri,
  tosUri: oauthClients.tosUri,
  authMethod: oauthClients.authMethod,
  createdAt: oauthClients.createdAt,
  // Spelled out: in a select from one table the columns lose the name of theirs.
  activeUsers: sql<number>`(select count(*)::int from ${oauthGrants} held where held.client_id = ${oauthClients}.client_id)`,
}

export type AppRow = Pick<ClientRow, Exclude<keyof typeof shown, 'activeUsers'>> & { activeUsers: number }

const own = (ownerId: string, clientId: string) =>
  and(eq(oauthClients.ownerId, ownerId), eq(oauthClients.clientId, clientId))

export const listAppsOf = (db: Db | Tx, ownerId: string): Promise<AppRow[]> =>
  db
    .select(shown)
    .from(oauthClients)
    .where(eq(oauthClients.ownerId, ownerId))
    .orderBy(desc(oauthClients.createdAt), desc(oauthClients.clientId))

export const findApp = async (db: Db | Tx, ownerId: string, clientId: string): Promise<AppRow | undefined> =>
  (await db.select(shown).from(oauthClients).where(own(ownerId, clientId)))[0]

/** Whoever makes an application holds its owner: two at once would both find room for the last one. */
export const lockOwner = (tx: Tx, ownerId: string) =>
  tx.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('no key update')

export const countAppsOf = (db: Db | Tx, ownerId: string) =>
  db.$count(oauthClients, eq(oauthClients.ownerId, ownerId))

export const insertApp = (tx: Tx, row: typeof oauthClients.$inferInsert) =>
  tx.insert(oauthClients).values(row)

export async function updateApp(
  tx: Tx,
  ownerId: string,
  clientId: string,
  change: AppChange,
): Promise<AppRow | undefined> {
  if (Object.keys(change).length > 0) await tx.update(oauthClients).set(change).where(own(ownerId, clientId))
  return findApp(tx, ownerId, clientId)
}

/** Grants, codes and tokens go with their application. */
export async function deleteApp(tx: Tx, ownerId: string, clientId: string): Promise<boolean> {
  const deleted = await tx
    .delete(oauthClients)
    .where(own(ownerId, clientId))
    .returning({ clientId: oauthClients.clientId })
  return deleted.length > 0
}

export async function deleteAppsOf(tx: Tx, ownerId: string): Promise<string[]> {
  const deleted = await tx
    .delete(oauthClients)
    .where(eq(oauthClients.ownerId, ownerId))
    .returning({ clientId: oauthClients.clientId })
  return deleted.map(({ clientId }) => clientId)
}

/** Says whether there was a secret to replace. */
export async function replaceSecret(
  tx: Db | Tx,
  ownerId: string,
  clientId: string,
  secretHash: Uint8Array,
): Promise<boolean> {
  const changed = await tx
    .update(oauthClients)
    .set({ secretHash })
    .where(and(own(ownerId, clientId), isNot(oauthClients.authMethod, 'none')))
    .returning({ clientId: oauthClients.clientId })
  return changed.length > 0
}
