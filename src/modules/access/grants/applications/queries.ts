import { and, eq } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { isOneOf } from '@/db/comparisons'
import { oauthClients, oauthGrants } from '@/db/tables/oauth'
import { users } from '@/db/tables/users'
import { webhooks } from '@/db/tables/webhooks'

export type GrantDetails = {
  grantId: string
  lastUsedAt: Date | null
  ownerId: string | null
  ownerUsername: string | null
}

export const detailsOf = (db: Db | Tx, grantIds: string[]): Promise<GrantDetails[]> =>
  db
    .select({
      grantId: oauthGrants.id,
      lastUsedAt: oauthGrants.lastUsedAt,
      ownerId: oauthClients.ownerId,
      ownerUsername: users.username,
    })
    .from(oauthGrants)
    .innerJoin(oauthClients, eq(oauthClients.clientId, oauthGrants.clientId))
    .leftJoin(users, eq(users.id, oauthClients.ownerId))
    .where(isOneOf(oauthGrants.id, grantIds))

export type Made = { grantId: string | null; what: string }

/** What grants created, and what ends with them. */
export const webhooksMadeBy = (db: Db | Tx, grantIds: string[]): Promise<Made[]> =>
  db
    .select({ grantId: webhooks.madeByGrant, what: webhooks.url })
    .from(webhooks)
    .where(isOneOf(webhooks.madeByGrant, grantIds))
    .orderBy(webhooks.id)

export const appsMadeBy = (db: Db | Tx, grantIds: string[]): Promise<Made[]> =>
  db
    .select({ grantId: oauthClients.madeByGrant, what: oauthClients.name })
    .from(oauthClients)
    .where(isOneOf(oauthClients.madeByGrant, grantIds))
    .orderBy(oauthClients.createdAt, oauthClients.clientId)

export async function isConnected(db: Db | Tx, userId: string, grantId: string): Promise<boolean> {
  const rows = await db
    .select({ id: oauthGrants.id })
    .from(oauthGrants)
    .where(and(eq(oauthGrants.userId, userId), eq(oauthGrants.id, grantId)))
  return rows.length > 0
}
