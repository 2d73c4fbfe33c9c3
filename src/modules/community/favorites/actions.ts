import { type Static, Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import type { Caller } from '@/core/caller'
import { notFound } from '@/core/errors'
import { Nothing, PageInput, pageOf } from '@/core/page'
import { iso, wireTime } from '@/core/shapes'
import { db, type Tx } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { presentGroup } from '@/modules/community/groups/present'
import { GroupListItem, slug } from '@/modules/community/groups/schema'
import { mayKnowGroup } from '@/modules/community/groups/visible'
import { emit } from '@/outbox/emit'
import {
  deleteFavorite,
  type FavoriteRow,
  insertFavorite,
  listFavoritesOf,
  lockGroupNamed,
  NEWEST_FIRST,
} from './queries'

const FavoriteGroup = Type.Object(
  { ...GroupListItem.properties, favoritedAt: wireTime() },
  { $id: 'FavoriteGroup' },
)
type FavoriteGroup = Static<typeof FavoriteGroup>

const Favorited = Type.Object(
  { groupSlug: Type.String(), alreadyFavorited: Type.Optional(Type.Literal(true)) },
  { $id: 'Favorited' },
)

const FavoriteInput = Type.Object({ groupSlug: slug() })

export const listFavorites = action({
  name: 'listFavorites',
  access: 'read:favorites',
  summary: 'List your favorite groups',
  input: PageInput,
  output: pageOf(FavoriteGroup),
  run: ({ userId }, input) =>
    keysetPage(
      {
        list: `favorites:${userId}`,
        input,
        order: NEWEST_FIRST,
        rows: (after) => listFavoritesOf(db, userId, after),
      },
      presentFavorite,
    ),
})

export const addFavorite = action({
  name: 'addFavorite',
  access: 'write:favorites',
  summary: 'Join a group by marking it as a favorite',
  input: FavoriteInput,
  output: Favorited,
  errors: ['not_found'],
  run: (caller, { groupSlug }) =>
    transaction(async (tx) => {
      const { id: groupId, urlname } = await lockKnownGroup(tx, caller, groupSlug)
      if (!(await insertFavorite(tx, caller.userId, groupId)))
        return { groupSlug: urlname, alreadyFavorited: true } as const
      await emit(tx, 'group.favorited', { groupId, userId: caller.userId })
      return { groupSlug: urlname }
    }),
})

export const removeFavorite = action({
  name: 'removeFavorite',
  access: 'write:favorites',
  summary: 'Leave a group by removing the favorite',
  input: FavoriteInput,
  output: Nothing,
  errors: ['not_found'],
  run: (caller, { groupSlug }) =>
    transaction(async (tx) => {
      const { id: groupId } = await lockKnownGroup(tx, caller, groupSlug)
      if (await deleteFavorite(tx, caller.userId, groupId))
        await emit(tx, 'group.unfavorited', { groupId, userId: caller.userId })
    }),
})

async function lockKnownGroup(tx: Tx, caller: Caller, groupSlug: string) {
  const group = await lockGroupNamed(tx, groupSlug)
  if (!group || !(await mayKnowGroup(tx, caller, group))) throw notFound('Group')
  return group
}

const presentFavorite = ({ group, at }: FavoriteRow): FavoriteGroup => ({
  ...presentGroup(group),
  favoritedAt: iso(at),
})
