import { effectiveScopes, isScope } from '@/core/scopes'
import type { Identity } from './identify'
import { findAccessToken } from './queries'

/** How the tokens begin with which an application acts for a person. */
export const ACCESS_PREFIX = 'fm_at_'

export async function loadAccessToken(hash: Uint8Array): Promise<Identity | null> {
  const row = await findAccessToken(hash)
  if (!row || row.suspendedAt) return null
  return {
    caller: {
      userId: row.userId,
      role: row.role,
      scopes: effectiveScopes(row.scopes.filter(isScope), row.role === 'admin'),
      credential: { kind: 'oauth', id: row.id, clientId: row.clientId },
    },
    expiresAt: row.expiresAt.getTime(),
    // It lives for an hour, so nobody asks when it was last seen.
    sighted: null,
    appOwnerId: row.appOwnerId,
  }
}
