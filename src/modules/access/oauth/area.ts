import { Elysia } from 'elysia'
import { ACCESS_PREFIX } from '@/auth/credentials'
import { hashSecret } from '@/auth/secrets'
import { DAY_MS, now } from '@/core/clock'
import { isCheckedSecret } from '@/core/codes'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { transaction } from '@/db/transaction'
import { protocol } from '@/http/protocol'
import { OPEN } from '@/http/route-traits'
import { broadcast } from '@/outbox/broadcast'
import { page } from '@/web/page'
import { authorize, decide } from './authorize/endpoint'
import { refusalPage } from './authorize/refusal-page'
import { lockUnusedClients, stillUnused } from './client-registration/queries'
import { endClients } from './end-clients'
import { clientEndpoint } from './endpoint'
import { apiResource, authorizationServer, mcpConfiguration, mcpResource } from './metadata'
import { AUTHORIZE, DECIDE, INTROSPECT, REVOKE, TOKEN } from './openapi'
import {
  API_RESOURCE_METADATA,
  AUTHORIZATION_SERVER,
  MCP_CONFIGURATION,
  MCP_RESOURCE_METADATA,
} from './openapi-parts'
import { needed } from './parameters'
import {
  deleteEmptyFamilies,
  deleteExpiredAccessTokens,
  deleteExpiredRefreshTokens,
  deleteOldCodes,
} from './queries'
import { OAuthRefusal } from './refusal'
import { ASKING, CLIENT } from './route-traits'
import { REFRESH_PREFIX } from './secrets'
import { endFamily } from './token/end-family'
import { exchange } from './token/exchange'
import { introspect } from './token/introspect'
import { deleteAccessToken, findAccess, findRefreshToken } from './token/queries'
import { refresh } from './token/refresh'

/**
 * Revokes a token (RFC 7009). A refresh token takes its family along. Unknown and foreign tokens get the same answer. The prefix
 * tells the kind, so hints are ignored.
 */
const revoke = clientEndpoint(async ({ clientId }, form) => {
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

const token = clientEndpoint(async (client, form) => {
  switch (needed(form, 'grant_type')) {
    case 'authorization_code':
      return exchange(client, form)
    case 'refresh_token':
      return refresh(client, form)
    default:
      throw new OAuthRefusal(
        'unsupported_grant_type',
        'grant_type must be authorization_code or refresh_token',
      )
  }
})

const BATCH = 500

/** Anyone may register applications, so unused ones are deleted. */
export async function removeUnusedClients(before: Date): Promise<void> {
  for (;;) {
    const found = await transaction(async (tx) => {
      const unused = await lockUnusedClients(tx, before, now(), BATCH)
      if (unused.length > 0) await endClients(tx, stillUnused(tx, unused, now()))
      return unused.length
    })
    if (found < BATCH) return
  }
}

const oauthSweeps = [
  sweep({
    name: 'access tokens',
    keeps: { ms: 0, after: 'it expires' },
    run: (before) => deleteExpiredAccessTokens(db, before),
  }),
  sweep({
    name: 'refresh tokens',
    keeps: { ms: 0, after: 'it expires' },
    run: (before) => deleteExpiredRefreshTokens(db, before),
  }),
  sweep({
    name: 'authorization codes',
    keeps: { ms: DAY_MS, after: 'it expires' },
    run: (before) => deleteOldCodes(db, before),
  }),
  // After their codes and tokens.
  sweep({
    name: 'token families',
    keeps: { ms: DAY_MS, after: 'it was made, once no token is left in it' },
    run: (before) => deleteEmptyFamilies(db, before),
  }),
  sweep({
    name: 'unused clients',
    keeps: { ms: 30 * DAY_MS, after: 'it was last used' },
    run: removeUnusedClients,
  }),
]

const QUESTION = { traits: ASKING, refused: refusalPage }

const oauthRoutes = new Elysia({ tags: ['OAuth'] })
  .get('/oauth/authorize', ...page(authorize, { ...QUESTION, described: AUTHORIZE }))
  .post('/oauth/authorize', ...page(decide, { ...QUESTION, described: DECIDE }))
  .post('/oauth/token', ...protocol(TOKEN, token, CLIENT))
  .post('/oauth/revoke', ...protocol(REVOKE, revoke, CLIENT))
  .post('/oauth/introspect', ...protocol(INTROSPECT, introspect, CLIENT))
  .get(
    '/.well-known/oauth-authorization-server',
    ...protocol(AUTHORIZATION_SERVER, authorizationServer, OPEN),
  )
  .get('/.well-known/oauth-protected-resource', ...protocol(API_RESOURCE_METADATA, apiResource, OPEN))
  .get('/.well-known/oauth-protected-resource/mcp', ...protocol(MCP_RESOURCE_METADATA, mcpResource, OPEN))
  .get('/.well-known/mcp-configuration', ...protocol(MCP_CONFIGURATION, mcpConfiguration, OPEN))

export const oauthArea = {
  routes: oauthRoutes,
  sweeps: oauthSweeps,
}
