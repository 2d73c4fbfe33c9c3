import { and, desc, eq } from 'drizzle-orm'
import type { Asker } from '@/core/caller'
import type { Db, Tx } from '@/db/client'
import { isOneOf } from '@/db/comparisons'
import { type After, descending, type Rows } from '@/db/keyset'
import { oauthClients, oauthGrants } from '@/db/tables/oauth'

const shown = {
  grantId: oauthGrants.id,
  clientId: oauthGrants.clientId,
  clientName: oauthClients.name,
  clientUri: oauthClients.website,
  logoUri: oauthClients.logoUri,
  scopes: oauthGrants.scopes,
  grantedAt: oauthGrants.grantedAt,
}

export type GrantRow = {
  grantId: string
  clientId: string
  clientName: string
  clientUri: string | null
  logoUri: string | null
  scopes: string[]
  grantedAt: Date
}

export const NEWEST_FIRST = descending<GrantRow>(
  [oauthGrants.grantedAt, (row) => row.grantedAt],
  [oauthGrants.id, (row) => row.grantId],
)

/** A person's grants; an application sees only its own. */
const within = ({ userId, grantId }: Asker) =>
  and(eq(oauthGrants.userId, userId), grantId === null ? undefined : eq(oauthGrants.id, grantId))

export const listGrantsOf = (db: Db | Tx, asker: Asker, after: After): Rows<GrantRow> =>
  db
    .select(shown)
    .from(oauthGrants)
    .innerJoin(oauthClients, eq(oauthClients.clientId, oauthGrants.clientId))
    .where(and(within(asker), after))

export const countGrantsOf = (db: Db | Tx, asker: Asker) => db.$count(oauthGrants, within(asker))

/** Locks a grant, so that it creates nothing more, and returns its owner. */
export async function lockGrant(tx: Tx, asker: Asker, id: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ clientId: oauthGrants.clientId })
    .from(oauthGrants)
    .where(and(within(asker), eq(oauthGrants.id, id)))
    .for('update')
  return row?.clientId
}

export const lockGrantsOf = (tx: Tx, userId: string) =>
  tx
    .select({ id: oauthGrants.id, clientId: oauthGrants.clientId })
    .from(oauthGrants)
    .where(eq(oauthGrants.userId, userId))
    .orderBy(oauthGrants.id)
    .for('update')

/** Codes and tokens cascade, and webhooks of the grant are disabled. */
export const deleteGrant = (tx: Tx, id: string) => tx.delete(oauthGrants).where(eq(oauthGrants.id, id))

/** Those of these grants that are not revoked. */
export const findGrantsAmong = (db: Db, userId: string, ids: string[]): Promise<GrantRow[]> =>
  db
    .select(shown)
    .from(oauthGrants)
    .innerJoin(oauthClients, eq(oauthClients.clientId, oauthGrants.clientId))
    .where(and(eq(oauthGrants.userId, userId), isOneOf(oauthGrants.id, ids)))
    .orderBy(desc(oauthGrants.grantedAt), oauthGrants.id)
