import { config } from '@/config/config'
import { API_RESOURCE, MCP_RESOURCE } from '@/core/own-addresses'
import { SCOPE_NAMES } from '@/core/scopes'
import { JSON_TYPE, respondTagged, type Tagged, tagged } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { CAPABILITIES, PROTOCOL_VERSION } from '@/mcp/instructions'

const HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'public, max-age=3600' }

/** A discovery document, built once from configuration: no request header can change it. */
const document = (value: object) => {
  const kept: Tagged = tagged(JSON.stringify(value))
  return (visit: Visit): Response => respondTagged(visit, kept, HEADERS)
}

const at = (path: string) => config.authUrl + path

const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'none']

/** RFC 8414: authorization server metadata. */
export const authorizationServer = document({
  issuer: config.authUrl,
  authorization_endpoint: at('/oauth/authorize'),
  token_endpoint: at('/oauth/token'),
  registration_endpoint: at('/oauth/register'),
  revocation_endpoint: at('/oauth/revoke'),
  introspection_endpoint: at('/oauth/introspect'),
  scopes_supported: SCOPE_NAMES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: AUTH_METHODS,
  revocation_endpoint_auth_methods_supported: AUTH_METHODS,
  introspection_endpoint_auth_methods_supported: AUTH_METHODS,
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${config.baseUrl}/docs`,
})

/** RFC 9728: protected resource metadata. */
const protectedResource = (resource: string, name: string, scopes: readonly string[] = SCOPE_NAMES) =>
  document({
    resource,
    authorization_servers: [config.authUrl],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: name,
    resource_documentation: `${config.baseUrl}/docs`,
  })

export const apiResource = protectedResource(API_RESOURCE, 'Folkmoot')
/** Agents tend to request every listed scope, and hardly one is meant to administer the site. */
export const mcpResource = protectedResource(
  MCP_RESOURCE,
  'Folkmoot for agents',
  SCOPE_NAMES.filter((scope) => scope !== 'admin'),
)

/** The document that agents fetch before they connect. */
export const mcpConfiguration = document({
  mcp_version: PROTOCOL_VERSION,
  server_name: 'Folkmoot',
  server_description: 'People, groups, events, badges and passes of a community.',
  server_url: MCP_RESOURCE,
  transport: 'streamable-http',
  authentication: { type: 'oauth2', oauth_metadata_url: at('/.well-known/oauth-authorization-server') },
  capabilities: CAPABILITIES,
})
