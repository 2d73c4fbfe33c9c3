import { ACCESS_PREFIX } from '@/auth/credentials'
import { hashSecret } from '@/auth/secrets'
import { config } from '@/config/config'
import { now } from '@/core/clock'
import { isCheckedSecret } from '@/core/codes'
import { API_RESOURCE, MCP_RESOURCE } from '@/core/own-addresses'
import { db } from '@/db/client'
import { clientEndpoint } from '../endpoint'
import { needed } from '../parameters'
import type { Client } from '../queries'
import { REFRESH_PREFIX } from '../secrets'
import { REFRESH_MS } from './issue'
import { type FamilyRow, findAccess, findRefreshToken } from './queries'

type Living = FamilyRow & {
  issuedAt: Date
  expiresAt: Date
  resource: string | null
  kind: 'Bearer' | 'refresh_token'
}

/** Introspection (RFC 7662) of the client's own tokens. Other and dead tokens are just inactive. */
export const introspect = clientEndpoint(async (client, form) => {
  const found = await find(needed(form, 'token'))
  return found && isAlive(found, client) ? described(found) : { active: false }
})

async function find(token: string): Promise<Living | undefined> {
  if (isCheckedSecret(ACCESS_PREFIX, token)) {
    const row = await findAccess(db, hashSecret(token))
    return row && { ...row, issuedAt: row.createdAt, kind: 'Bearer' }
  }
  if (!isCheckedSecret(REFRESH_PREFIX, token)) return undefined
  const row = await findRefreshToken(db, hashSecret(token))
  if (row?.generation !== row?.currentGeneration) return undefined
  return row && { ...row, issuedAt: new Date(row.expiresAt.getTime() - REFRESH_MS), kind: 'refresh_token' }
}

const isAlive = ({ clientId, expiresAt, suspendedAt }: Living, client: Client) =>
  clientId === client.clientId && expiresAt > now() && suspendedAt === null

const described = (token: Living) => ({
  active: true,
  scope: token.scopes.filter((scope) => scope !== 'admin' || token.role === 'admin').join(' '),
  client_id: token.clientId,
  ...(token.username !== null && { username: token.username }),
  token_type: token.kind,
  exp: Math.floor(token.expiresAt.getTime() / 1000),
  iat: Math.floor(token.issuedAt.getTime() / 1000),
  sub: token.userId,
  // A token without a resource is valid for both.
  aud: token.resource ?? [API_RESOURCE, MCP_RESOURCE],
  iss: config.authUrl,
})
