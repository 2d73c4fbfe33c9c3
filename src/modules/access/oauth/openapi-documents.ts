import type { Json } from '@/http/openapi/schemas'
import { NOT_MODIFIED } from '@/http/openapi/shared'
import type { Protocol } from '@/http/protocol'
import { fields, text } from './openapi-parts'

/** The description of the discovery documents. */

const discovery = (name: string, summary: string, schema: Json): Protocol => ({
  name,
  summary,
  responses: {
    200: {
      description: 'The document.',
      headers: {
        'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
        ETag: { $ref: '#/components/headers/ETag' },
      },
      content: { 'application/json': { schema } },
    },
    304: { ...NOT_MODIFIED, headers: { ETag: { $ref: '#/components/headers/ETag' } } },
  },
})

const all = (properties: Record<string, Json>): Json => fields(properties, ...Object.keys(properties))
const words: Json = { type: 'array', items: text() }
const address: Json = { type: 'string', format: 'uri' }

export const AUTHORIZATION_SERVER = discovery(
  'authorizationServerMetadata',
  'The authorization server (RFC 8414)',
  all({
    issuer: address,
    authorization_endpoint: address,
    token_endpoint: address,
    registration_endpoint: address,
    revocation_endpoint: address,
    introspection_endpoint: address,
    scopes_supported: words,
    response_types_supported: words,
    response_modes_supported: words,
    grant_types_supported: words,
    code_challenge_methods_supported: words,
    token_endpoint_auth_methods_supported: words,
    revocation_endpoint_auth_methods_supported: words,
    introspection_endpoint_auth_methods_supported: words,
    authorization_response_iss_parameter_supported: { type: 'boolean' },
    service_documentation: address,
  }),
)

const RESOURCE = all({
  resource: address,
  authorization_servers: words,
  scopes_supported: words,
  bearer_methods_supported: words,
  resource_name: text(),
  resource_documentation: address,
})

export const API_RESOURCE_METADATA = discovery(
  'apiResourceMetadata',
  'The API as a resource (RFC 9728)',
  RESOURCE,
)
export const MCP_RESOURCE_METADATA = discovery(
  'mcpResourceMetadata',
  'The MCP endpoint as a resource (RFC 9728)',
  RESOURCE,
)

export const MCP_CONFIGURATION = discovery(
  'mcpConfiguration',
  'How agents connect',
  all({
    mcp_version: text(),
    server_name: text(),
    server_description: text(),
    server_url: address,
    transport: text('`streamable-http`'),
    authentication: all({ type: text('`oauth2`'), oauth_metadata_url: address }),
    capabilities: { type: 'object', description: 'As in the response to `initialize`.' },
  }),
)
