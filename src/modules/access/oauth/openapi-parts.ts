import type { Json } from '@/http/openapi/schemas'
import { headers } from '@/http/openapi/shared'

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
