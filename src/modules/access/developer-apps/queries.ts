import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Asker } from '@/core/caller'
import type { Db, Tx } from '@/db/client'
import { isNot } from '@/db/comparisons'
import { demandQuota } from '@/db/quotas'
import { complete, patched } from '@/db/rows'
import { oauthClients, oauthGrants } from '@/db/tables/oauth'
import { users } from '@/db/tables/users'
import type { Clients } from '@/modules/access/oauth/queries'

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
  // Spelled out, because drizzle omits the table in a select from one table.
  activeUsers: sql<number>`(select count(*)::int from ${oauthGrants} held where held.client_id = ${oauthClients}.client_id)`,
}

export type AppRow = Pick<ClientRow, Exclude<keyof typeof shown, 'activeUsers'>> & { activeUsers: number }

/** A person's applications; another application sees only those that its grant created. */
const within = ({ userId, grantId }: Asker) =>
  and(eq(oauthClients.ownerId, userId), grantId === null ? undefined : eq(oauthClients.madeByGrant, grantId))

export const own = (asker: Asker, clientId: string): Clients =>
  and(within(asker), eq(oauthClients.clientId, clientId))

export const ownedBy = (ownerId: string): Clients => eq(oauthClients.ownerId, ownerId)

/** Applications that a developer's applications registered for other people. */
export const madeByAppsOf = (db: Db | Tx, ownerId: string): Clients =>
  inArray(oauthClients.madeByGrant, grantsOfAppsOf(db, ownerId))

/** Grants that people gave to a developer's applications. */
export const grantsOfAppsOf = (db: Db | Tx, ownerId: string) =>
  db
    .select({ id: oauthGrants.id })
    .from(oauthGrants)
    .innerJoin(oauthClients, eq(oauthClients.clientId, oauthGrants.clientId))
    .where(eq(oauthClients.ownerId, ownerId))

export const listAppsOf = (db: Db | Tx, asker: Asker): Promise<AppRow[]> =>
  db
    .select(shown)
    .from(oauthClients)
    .where(within(asker))
    .orderBy(desc(oauthClients.createdAt), desc(oauthClients.clientId))

export const findApp = async (db: Db | Tx, asker: Asker, clientId: string): Promise<AppRow | undefined> =>
  (await db.select(shown).from(oauthClients).where(own(asker, clientId)))[0]

export const countAppsOf = (db: Db | Tx, ownerId: string) =>
  db.$count(oauthClients, eq(oauthClients.ownerId, ownerId))

export const demandQuotaForApp = (tx: Tx, ownerId: string) =>
  demandQuota(tx, 'apps', {
    parent: [users.id, ownerId],
    children: oauthClients,
    which: eq(oauthClients.ownerId, ownerId),
  })

export const insertApp = (tx: Tx, row: typeof oauthClients.$inferInsert) =>
  tx.insert(oauthClients).values(complete(oauthClients, row))

const CHANGEABLE = [
  'name',
  'redirectUris',
  'description',
  'website',
  'logoUri',
  'policyUri',
  'tosUri',
] as const satisfies (keyof AppChange)[]

/** Locked before its logo, in the order of a deletion. */
export const holdApp = (tx: Tx, asker: Asker, clientId: string) =>
  tx.select({ one: sql`1` }).from(oauthClients).where(own(asker, clientId)).for('no key update').execute()

export async function updateApp(
  tx: Tx,
  asker: Asker,
  clientId: string,
  change: AppChange,
): Promise<AppRow | undefined> {
  await tx
    .update(oauthClients)
    .set(patched(oauthClients, CHANGEABLE, change))
    .where(own(asker, clientId))
  return findApp(tx, asker, clientId)
}

/** Returns whether a secret was replaced. */
export async function replaceSecret(
  tx: Db | Tx,
  asker: Asker,
  clientId: string,
  secretHash: Uint8Array,
): Promise<boolean> {
  const changed = await tx
    .update(oauthClients)
    .set({ secretHash })
    .where(and(own(asker, clientId), isNot(oauthClients.authMethod, 'none')))
    .returning({ clientId: oauthClients.clientId })
  return changed.length > 0
}

/** The person's own among these applications, by any registrant. */
export const findAppsAmong = (db: Db, userId: string, clientIds: string[]) =>
  db
    .select({ clientId: oauthClients.clientId, name: oauthClients.name })
    .from(oauthClients)
    .where(
      and(
        eq(oauthClients.ownerId, userId),
        sql`${oauthClients.clientId} = any(${sql.param(clientIds)}::text[])`,
      ),
    )
    .orderBy(desc(oauthClients.createdAt), oauthClients.clientId)
