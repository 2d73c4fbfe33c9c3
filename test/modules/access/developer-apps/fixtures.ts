import { hashSecret } from '@/auth/secrets'
import { checkedSecret } from '@/core/codes'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import {
  oauthAccessTokens,
  oauthClients,
  oauthFamilies,
  oauthGrants,
  oauthRefreshTokens,
} from '@/db/tables/oauth'
import { newClientId, newClientSecret } from '@/modules/access/oauth/secrets'

type ClientFields = Partial<typeof oauthClients.$inferInsert>

/** An application, confidential unless its fields say otherwise; without an owner it registered itself. */
export async function makeClient(fields: ClientFields = {}) {
  const clientSecret = newClientSecret()
  const [row] = await db
    .insert(oauthClients)
    .values({
      clientId: newClientId(),
      name: 'An application',
      redirectUris: ['https://app.example.org/callback'],
      authMethod: 'client_secret_basic',
      secretHash: fields.authMethod === 'none' ? null : hashSecret(clientSecret),
      ...fields,
    })
    .returning()
  return { ...(row as typeof oauthClients.$inferSelect), clientSecret }
}

const DAY_MS = 24 * 3_600_000

/** What a person allowed an application, with tokens that work. */
export async function makeGrant(
  clientId: string,
  userId: string,
  scopes = ['read:user'],
  refreshExpiresAt = new Date(Date.now() + DAY_MS),
) {
  const [grantId, familyId] = [newId(), newId()]
  const [accessToken, refreshToken] = [checkedSecret('fm_at_'), checkedSecret('fm_rt_')]
  await db.insert(oauthGrants).values({ id: grantId, userId, clientId, scopes })
  await db.insert(oauthFamilies).values({ id: familyId, grantId, scopes })
  await db
    .insert(oauthRefreshTokens)
    .values({ familyId, generation: 0, hash: hashSecret(refreshToken), expiresAt: refreshExpiresAt })
  await db.insert(oauthAccessTokens).values({
    id: newId(),
    familyId,
    hash: hashSecret(accessToken),
    scopes,
    expiresAt: new Date(Date.now() + DAY_MS),
  })
  return { grantId, familyId, accessToken, refreshToken }
}
