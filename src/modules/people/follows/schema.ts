import { Type } from '@sinclair/typebox'
import { orNull, wireTime } from '@/core/shapes'

export const FollowEntry = Type.Object(
  {
    username: orNull(Type.String()),
    name: Type.String(),
    avatarUrl: orNull(Type.String()),
    followedAt: orNull(wireTime()),
  },
  { $id: 'FollowEntry' },
)

export const Following = Type.Object(
  { following: Type.Literal(true), alreadyFollowing: Type.Optional(Type.Literal(true)) },
  { $id: 'Following' },
)
