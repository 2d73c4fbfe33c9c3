import { type Static, Type } from '@sinclair/typebox'
import { line, nullable, optional, text, webUrl } from '@/core/fields'
import { orNull, wireTime } from '@/core/shapes'

const described = {
  clientId: Type.String(),
  name: Type.String(),
  description: orNull(Type.String()),
  redirectUris: Type.Array(Type.String()),
  website: orNull(Type.String()),
  logoUri: orNull(Type.String()),
  policyUri: orNull(Type.String()),
  tosUri: orNull(Type.String()),
  isPublicClient: Type.Boolean({
    description: 'Whether it cannot keep a secret, such as an app in a browser or on a phone.',
  }),
  createdAt: orNull(wireTime()),
  activeUsers: Type.Optional(Type.Number({ description: 'Number of people who granted it access.' })),
}

export const OAuthApp = Type.Object(described, { $id: 'OAuthApp' })
export type OAuthApp = Static<typeof OAuthApp>

export const OAuthAppCreated = Type.Object(
  {
    ...described,
    clientSecret: Type.String({ description: 'Shown only once. Empty for a public client.' }),
  },
  { $id: 'OAuthAppCreated' },
)

export const OAuthApps = Type.Object({ apps: Type.Array(OAuthApp) }, { $id: 'OAuthApps' })

export const OAuthAppSecret = Type.Object(
  { clientId: Type.String(), clientSecret: Type.String(), message: Type.String() },
  { $id: 'OAuthAppSecret' },
)

export const clientId = line(1, 100)

const name = line(1, 100)
const redirectUris = Type.Array(
  line(1, 2048, {
    format: 'uri',
    description:
      'https, http on a loopback address, or a scheme of the application. Compared exactly, except for the port of a loopback address.',
  }),
  { minItems: 1, maxItems: 10 },
)
const details = {
  description: optional(nullable(text(0, 500))),
  website: optional(nullable(webUrl())),
  logoUri: optional(nullable(webUrl())),
  policyUri: optional(nullable(webUrl())),
  tosUri: optional(nullable(webUrl())),
}

export const CreateAppRequest = Type.Object(
  { name, redirectUris, ...details, isPublicClient: Type.Boolean({ default: false }) },
  { $id: 'CreateAppRequest' },
)

/** `confidential` cannot change: existing tokens depend on it. */
export const appChange = { name: optional(name), redirectUris: optional(redirectUris), ...details }
