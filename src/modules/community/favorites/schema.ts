import { type Static, Type } from '@sinclair/typebox'
import { wireTime } from '@/core/shapes'
import { GroupListItem, slug } from '@/modules/community/groups/schema'

export const FavoriteGroup = Type.Object(
  { ...GroupListItem.properties, favoritedAt: wireTime() },
  { $id: 'FavoriteGroup' },
)
export type FavoriteGroup = Static<typeof FavoriteGroup>

export const Favorited = Type.Object(
  { groupSlug: Type.String(), alreadyFavorited: Type.Optional(Type.Literal(true)) },
  { $id: 'Favorited' },
)

export const FavoriteInput = Type.Object({ groupSlug: slug() })
