import type { Json } from '@/http/openapi/schemas'
import { headers, NOT_MODIFIED } from '@/http/openapi/shared'
import type { Protocol } from '@/http/protocol'

export const text = (description?: string): Json => ({ type: 'string', ...(description && { description }) })

export const fields = (properties: Record<string, Json>, ...required: string[]): Json => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})

export const json = (description: string, schema: Json, ...more: string[]): Json => ({
  description,
  headers: headers(...more),
  content: { 'application/json': { schema } },
})

export const form = (properties: Record<string, Json>, ...required: string[]): Json => ({
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema: fields(properties, ...required) } },
})

export const page = (description: string): Json => ({
  description,
  headers: headers(),
  content: { 'text/html': { schema: text() } },
})

export const moved = (description: string): Json => ({
  description,
  headers: {
    ...headers(),
    Location: { description: 'Where to go.', schema: { type: 'string', format: 'uri-reference' } },
  },
})

const refused = (description: string, ...more: string[]) =>
  json(description, fields({ error: text('For programs.'), error_description: text() }, 'error'), ...more)

export const REFUSALS: Record<string, Json> = {
  400: refused('`invalid_request`, `invalid_grant` and the others of RFC 6749.'),
  401: refused('`invalid_client`: unknown, or its secret is wrong or missing.', 'WWW-Authenticate'),
  429: refused('More than 120 a minute for a client.', 'Retry-After'),
  503: refused('The database cannot be reached or the server is saturated.', 'Retry-After'),
}

export const CLIENT: Record<string, Json> = {
  client_id: text('Needed by those who do not authenticate by Basic.'),
  client_secret: text('Of a confidential client that does not authenticate by Basic.'),
}

export const asked = (name: string, description: string, required = true): Json => ({
  name,
  in: 'query',
  required,
  description,
  schema: text(),
})

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
