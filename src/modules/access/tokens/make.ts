import { TOKEN_PREFIX } from '@/auth/credentials'
import { hashSecret } from '@/auth/secrets'
import type { Caller } from '@/core/caller'
import { DAY_MS, nowMs } from '@/core/clock'
import { checkedSecret } from '@/core/codes'
import { forbidden, invalidField } from '@/core/errors'
import { newId } from '@/core/ids'
import { refusals } from '@/core/refusals'
import { effectiveScopes, isScope, type Scope } from '@/core/scopes'
import { iso } from '@/core/shapes'
import type { Tx } from '@/db/client'
import { emit } from '@/outbox/emit'
import { demandQuotaForToken, insertToken, type TokenRow } from './queries'
import type { Token } from './schema'

/** The scopes that this caller may put into a new token: never beyond its own credential. */
export function grantableScopes(caller: Caller, asked: string[]): Scope[] {
  if (caller.credential.kind === 'oauth') throw forbidden(refusals.noTokensByApplications)
  const scopes = [...new Set(asked)]
  if (!scopes.every(isScope)) throw invalidField('scopes', refusals.unknownScopes)
  for (const scope of effectiveScopes(scopes, true))
    if (!caller.scopes.has(scope)) throw forbidden(refusals.scopesOfMaker)
  return scopes
}

export const expiryIn = (days: number | undefined): Date | null =>
  days === undefined ? null : new Date(nowMs() + days * DAY_MS)

/** A token created by a token expires no later than it. */
export function boundedExpiry(caller: Caller, expiresAt: Date | null): Date | null {
  if (caller.credential.kind !== 'token' || caller.credential.expiresAt === null) return expiresAt
  const latest = caller.credential.expiresAt
  return expiresAt === null || expiresAt > latest ? latest : expiresAt
}

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
