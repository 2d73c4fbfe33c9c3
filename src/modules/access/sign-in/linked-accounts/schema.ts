import { type Static, Type } from '@sinclair/typebox'
import { orNull, wireTime } from '@/core/shapes'

export const LinkedAccount = Type.Object(
  {
    provider: Type.String({ description: 'Such as `github`, `google`, `discord` or `oidc`.' }),
    providerUsername: orNull(Type.String({ description: 'Name at the provider.' })),
    providerEmail: orNull(
      Type.String({ description: 'Only for a session, or with the scope user:email; otherwise null.' }),
    ),
    createdAt: orNull(wireTime()),
  },
  { $id: 'LinkedAccount' },
)
export type LinkedAccount = Static<typeof LinkedAccount>
