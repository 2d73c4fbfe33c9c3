import { type Static, Type } from '@sinclair/typebox'
import { orNull, wireId, wireTime } from '@/core/shapes'

export const OAuthGrant = Type.Object(
  {
    grantId: wireId(),
    clientId: Type.String(),
    clientName: Type.String(),
    clientUri: orNull(Type.String()),
    logoUri: orNull(Type.String()),
    scopes: Type.Array(Type.String()),
    grantedAt: wireTime(),
  },
  { $id: 'OAuthGrant' },
)
export type OAuthGrant = Static<typeof OAuthGrant>
