import { Elysia } from 'elysia'
import { protocol } from '@/http/protocol'
import { OPEN } from '@/http/route-traits'
import { page } from '@/web/page'
import { authorize, decide } from './authorize/endpoint'
import { refusalPage } from './authorize/refusal-page'
import { apiResource, authorizationServer, mcpConfiguration, mcpResource } from './metadata'
import { AUTHORIZE, DECIDE, INTROSPECT, REVOKE, TOKEN } from './openapi'
import {
  API_RESOURCE_METADATA,
  AUTHORIZATION_SERVER,
  MCP_CONFIGURATION,
  MCP_RESOURCE_METADATA,
} from './openapi-documents'
import { ASKING, CLIENT } from './route-traits'
import { token } from './token/endpoint'
import { introspect } from './token/introspect'
import { revoke } from './token/revoke'

const QUESTION = { traits: ASKING, refused: refusalPage }

export const oauthRoutes = new Elysia({ tags: ['OAuth'] })
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
