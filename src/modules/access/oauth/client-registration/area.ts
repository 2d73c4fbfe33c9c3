import { Elysia } from 'elysia'
import { readJson } from '@/http/body'
import type { Json } from '@/http/openapi/schemas'
import { headers } from '@/http/openapi/shared'
import { type Protocol, protocol } from '@/http/protocol'
import { JSON_TYPE, respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { CLIENT } from '../route-traits'
import { chargeNew, introduce } from './issue-client'
import { asOAuthError, type Metadata, readMetadata } from './metadata'
import { Details, RedirectUris, Registered } from './schema'

const BODY_BYTES_MAX = 8 * 1024
const HEADERS = { 'content-type': JSON_TYPE, 'cache-control': 'no-store', pragma: 'no-cache' }

/** Dynamic client registration (RFC 7591). Unverified, so its addresses are stored and never fetched. */
async function register(visit: Visit): Promise<Response> {
  try {
    const introduced = await introduce(visit, await readBody(visit))
    return respond(visit, 201, JSON.stringify(introduced), HEADERS)
  } catch (error) {
    const refusal = asOAuthError(error)
    if (!refusal) throw error
    return respond(visit, refusal.status, JSON.stringify(refusal.body), HEADERS, refusal.headers)
  }
}

async function readBody(visit: Visit): Promise<Metadata> {
  try {
    return readMetadata(await readJson(visit.request, BODY_BYTES_MAX))
  } catch (error) {
    // Invalid metadata counts like a new application.
    await chargeNew(visit)
    throw error
  }
}

const json = (description: string, schema: Json, ...more: string[]): Json => ({
  description,
  headers: headers(...more),
  content: { 'application/json': { schema } },
})

const REFUSAL: Json = {
  type: 'object',
  required: ['error', 'error_description'],
  properties: {
    error: { type: 'string', description: 'For programs.' },
    error_description: { type: 'string' },
  },
}

const REGISTER: Protocol = {
  name: 'registerClient',
  summary: 'Register an application dynamically (RFC 7591)',
  description:
    'Ten different applications per hour and address. A public client with the same metadata as an earlier one gets the same `client_id` and does not count. Applications that are not used for 30 days are deleted.',
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['redirect_uris'],
          properties: { ...RedirectUris.properties, ...Details.properties },
        },
      },
    },
  },
  responses: {
    201: json('Registered. The secret is in this answer and nowhere else.', Registered),
    400: json('`invalid_redirect_uri` or `invalid_client_metadata`.', REFUSAL),
    413: json('The body is over 8 KiB.', REFUSAL),
    429: json('Too many registrations from one address.', REFUSAL, 'Retry-After'),
    503: json('The database cannot be reached or the server is saturated.', REFUSAL, 'Retry-After'),
  },
}

const registrationRoutes = new Elysia({ tags: ['OAuth'] }).post(
  '/oauth/register',
  ...protocol(REGISTER, register, CLIENT),
)

export const clientRegistrationArea = {
  routes: registrationRoutes,
}
