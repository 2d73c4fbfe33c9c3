import { Elysia } from 'elysia'
import { DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { protocol } from '@/http/protocol'
import { OPEN } from '@/http/route-traits'
import { page } from '@/web/page'
import { authorize, decide } from './authorize/endpoint'
import { refusalPage } from './authorize/refusal-page'
import { removeUnusedClients } from './client-registration/unused'
import { apiResource, authorizationServer, mcpConfiguration, mcpResource } from './metadata'
import { AUTHORIZE, DECIDE, INTROSPECT, REVOKE, TOKEN } from './openapi'
import {
  API_RESOURCE_METADATA,
  AUTHORIZATION_SERVER,
  MCP_CONFIGURATION,
  MCP_RESOURCE_METADATA,
} from './openapi-documents'
import {
  deleteEmptyFamilies,
  deleteExpiredAccessTokens,
  deleteExpiredRefreshTokens,
  deleteOldCodes,
} from './queries'
import { ASKING, CLIENT } from './route-traits'
import { token } from './token/endpoint'
import { introspect } from './token/introspect'
import { revoke } from './token/revoke'

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
