import { TOKEN_PREFIX } from '@/auth/credentials'
import { hashSecret } from '@/auth/sealing'
import { checkedSecret } from '@/core/codes'
import { newId } from '@/core/ids'
import type { Scope } from '@/core/scopes'
import { iso } from '@/core/shapes'
import type { Tx } from '@/db/client'
import { emit } from '@/outbox/emit'
import { demandQuotaForToken, insertToken, type TokenRow } from './queries'
import type { Token } from './schema'

export const presentToken = (row: TokenRow): Token => ({
  id: row.id,
  name: row.name,
  tokenPrefix: row.prefix,
  scopes: row.scopes.join(' '),
  expiresAt: iso(row.expiresAt),
  createdAt: iso(row.createdAt),
  lastUsedAt: iso(row.lastUsedAt),
})

type NewToken = {
  userId: string
  name: string
  scopes: Scope[]
  expiresAt: Date | null
  /** The creating token: this one ends with it. */
  madeBy: string | null
}

/** Creates a token. The full token is only in this result; its owner gets a mail. */
export async function makeToken(tx: Tx, { userId, name, scopes, expiresAt, madeBy }: NewToken) {
  const token = checkedSecret(TOKEN_PREFIX)
  await demandQuotaForToken(tx, userId)
  const row = await insertToken(tx, {
    id: newId(),
    userId,
    name,
    scopes,
    expiresAt,
    hash: hashSecret(token),
    prefix: token.slice(0, TOKEN_PREFIX.length + 8),
    madeBy,
  })
  await emit(tx, 'token.created', { tokenId: row.id, userId, name })
  return { ...presentToken(row), token }
}
