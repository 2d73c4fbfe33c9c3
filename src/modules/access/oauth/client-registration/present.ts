import type { Static } from '@sinclair/typebox'
import type { ClientRow } from './queries'
import type { Registered } from './schema'

/** The registered metadata, which RFC 7591 wants in full; fields that were left out stay out. */
export const presentClient = (row: ClientRow, secret: string | undefined): Static<typeof Registered> => ({
  client_id: row.clientId,
  ...(secret && { client_secret: secret, client_secret_expires_at: 0 }),
  client_id_issued_at: Math.floor(row.createdAt.getTime() / 1000),
  redirect_uris: row.redirectUris,
  client_name: row.name,
  token_endpoint_auth_method: row.authMethod,
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  ...(row.scopes && { scope: row.scopes.join(' ') }),
  ...(row.website && { client_uri: row.website }),
  ...(row.logoUri && { logo_uri: row.logoUri }),
  ...(row.policyUri && { policy_uri: row.policyUri }),
  ...(row.tosUri && { tos_uri: row.tosUri }),
})
