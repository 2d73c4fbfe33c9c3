import { type Static, Type } from '@sinclair/typebox'
import { line, optional, whole } from '@/core/fields'
import { orNull, wireId, wireTime } from '@/core/shapes'

const described = {
  id: wireId(),
  name: Type.String(),
  tokenPrefix: Type.String({ description: 'First characters of the token.' }),
  scopes: Type.String({ description: 'Space-separated.' }),
  expiresAt: orNull(wireTime()),
  createdAt: orNull(wireTime()),
}

export const Token = Type.Object({ ...described, lastUsedAt: orNull(wireTime()) }, { $id: 'Token' })
export type Token = Static<typeof Token>

export const TokenCreated = Type.Object(
  { ...described, token: Type.String({ description: 'The whole token. Shown only once.' }) },
  { $id: 'TokenCreated' },
)

export const CreateTokenRequest = Type.Object(
  {
    name: line(1, 100),
    scopes: Type.Array(line(1, 60), { minItems: 1, maxItems: 50 }),
    expiresInDays: optional(whole(1, 365, { description: 'By default the token does not expire.' })),
  },
  { $id: 'CreateTokenRequest' },
)
