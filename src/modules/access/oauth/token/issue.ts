import { ACCESS_PREFIX } from '@/auth/credentials'
import { hashSecret } from '@/auth/secrets'
import { now, nowMs } from '@/core/clock'
import { checkedSecret } from '@/core/codes'
import { newId } from '@/core/ids'
import type { Scope } from '@/core/scopes'
import type { Tx } from '@/db/client'
import { insertAccessToken, insertRefreshToken } from './queries'

const ACCESS_SECONDS = 3600
export const REFRESH_MS = 60 * 24 * 60 * 60 * 1000

export type Given = {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token: string
  scope: string
}

/** Null resource means all of ours. */
type Reach = { scopes: Scope[]; resource: string | null }

export async function giveAccess(
  tx: Tx,
  familyId: string,
  { scopes, resource }: Reach,
  refreshToken: string,
): Promise<Given> {
  const token = checkedSecret(ACCESS_PREFIX)
  await insertAccessToken(tx, {
    id: newId(),
    familyId,
    hash: hashSecret(token),
    scopes,
    resource,
    createdAt: now(),
    expiresAt: new Date(nowMs() + ACCESS_SECONDS * 1000),
  })
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: ACCESS_SECONDS,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  }
}

type Place = { familyId: string; generation: number; resource: string | null }

export const keepRefreshToken = (tx: Tx, place: Place, token: string) =>
  insertRefreshToken(tx, {
    ...place,
    hash: hashSecret(token),
    expiresAt: new Date(nowMs() + REFRESH_MS),
  })
