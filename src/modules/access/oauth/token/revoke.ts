import { ACCESS_PREFIX } from '@/auth/credentials'
import { hashSecret } from '@/auth/hashing'
import { isCheckedSecret } from '@/core/codes'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { broadcast } from '@/outbox/broadcast'
import { clientEndpoint } from '../endpoint'
import { needed } from '../parameters'
import { REFRESH_PREFIX } from '../secrets'
import { endFamily } from './end-family'
import { deleteAccessToken, findAccess, findRefreshToken } from './queries'

/**
 * Revokes a token (RFC 7009). A refresh token takes its family along. Unknown and foreign tokens get the same answer. The prefix
 * tells the kind, so hints are ignored.
 */
export const revoke = clientEndpoint(async ({ clientId }, form) => {
  const token = needed(form, 'token')
  if (isCheckedSecret(REFRESH_PREFIX, token)) await revokeRefresh(clientId, hashSecret(token))
  if (isCheckedSecret(ACCESS_PREFIX, token)) await revokeAccess(clientId, hashSecret(token))
  return {}
})

async function revokeRefresh(clientId: string, hash: Uint8Array): Promise<void> {
  const row = await findRefreshToken(db, hash)
  if (row?.clientId === clientId) await endFamily(row, 'given back')
}

const revokeAccess = (clientId: string, hash: Uint8Array) =>
  transaction(async (tx) => {
    const row = await findAccess(tx, hash)
    if (row?.clientId !== clientId) return
    await deleteAccessToken(tx, row.id)
    broadcast(tx, { type: 'access.ended', data: { userId: row.userId } })
  })
