import { Type } from '@sinclair/typebox'
import { line, oneOf, optional, webUrl } from '@/core/fields'

/** Client metadata, as RFC 7591 names it. */
export const RedirectUris = Type.Object({
  redirect_uris: Type.Array(line(1, 2048, { format: 'uri' }), { minItems: 1, maxItems: 10 }),
})

export const Details = Type.Object({
  client_name: line(1, 100, { default: 'Unnamed app' }),
  token_endpoint_auth_method: optional(oneOf(['client_secret_basic', 'client_secret_post', 'none'])),
  grant_types: optional(Type.Array(oneOf(['authorization_code', 'refresh_token']), { maxItems: 10 })),
  response_types: optional(Type.Array(oneOf(['code']), { minItems: 1, maxItems: 10 })),
  scope: optional(
    line(0, 1000, {
      description:
        'The default scopes of an authorization request, separated by spaces. `admin` can be requested only if it is listed here, or if the list is empty.',
    }),
  ),
  client_uri: optional(webUrl()),
  logo_uri: optional(webUrl()),
  policy_uri: optional(webUrl()),
  tos_uri: optional(webUrl()),
})

/** The registered metadata, with the secret this once. */
export const Registered = Type.Object({
  client_id: Type.String(),
  client_secret: optional(Type.String({ description: 'Shown only once. A public client has none.' })),
  client_id_issued_at: Type.Integer({ description: 'In seconds since 1970.' }),
  client_secret_expires_at: optional(Type.Integer({ description: 'Always 0: it does not expire.' })),
  redirect_uris: Type.Array(Type.String()),
  client_name: Type.String(),
  token_endpoint_auth_method: Type.String(),
  grant_types: Type.Array(Type.String()),
  response_types: Type.Array(Type.String()),
  scope: optional(Type.String()),
  client_uri: optional(Type.String()),
  logo_uri: optional(Type.String()),
  policy_uri: optional(Type.String()),
  tos_uri: optional(Type.String()),
})
