import { type Static, Type } from '@sinclair/typebox'
import { orNull, wireId, wireTime } from '@/core/shapes'

export const UserBasic = Type.Object(
  {
    id: wireId(),
    name: Type.String(),
    avatarUrl: orNull(Type.String()),
    username: orNull(Type.String()),
    email: Type.Optional(Type.String({ description: 'Only for a session, or with the scope user:email.' })),
    lastLoginAt: orNull(wireTime()),
  },
  { $id: 'UserBasic' },
)
export type UserBasic = Static<typeof UserBasic>
