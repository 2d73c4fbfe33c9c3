import { Elysia } from 'elysia'
import { front } from '@/http/front'
import { protocol } from '@/http/protocol'
import { OPEN } from '@/http/traits'
import { authorize, decide } from './authorize/endpoint'
import { apiResource, authorizationServer, mcpConfiguration, mcpResource } from './metadata'
import { AUTHORIZE, DECIDE, INTROSPECT, REVOKE, TOKEN } from './openapi'
import {
  API_RESOURCE_METADATA,
  AUTHORIZATION_SERVER,
  MCP_CONFIGURATION,
  MCP_RESOURCE_METADATA,
} from './openapi-documents'
import { token } from './token/endpoint'
import { introspect } from './token/introspect'
import { revoke } from './token/revoke'
import { ASKING, CLIENT } from './traits'

export const oauthRoutes = new Elysia({ tags: ['OAuth'] })
  .use(front)
  .get('/oauth/authorize', ...protocol(AUTHORIZE, authorize, ASKING))
  .post('/oauth/authorize', ...protocol(DECIDE, decide, ASKING))
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
