import { Type } from '@sinclair/typebox'
import { action } from '@/core/action'
import { line } from '@/core/fields'
import { Nothing, pageFields, pageOf } from '@/core/page'
import { iso } from '@/core/shapes'
import { db } from '@/db/client'
import { keysetPage } from '@/db/keyset'
import { transaction } from '@/db/transaction'
import { UsernameInput } from '@/modules/people/users/usernames'
import { visiblePerson } from '@/modules/people/users/visible'
import { emit } from '@/outbox/emit'
import { countPair, follow, lockPair } from './follow'
import {
  deleteFollow,
  FOLLOWERS_ORDER,
  FOLLOWING_ORDER,
  type FollowRow,
  listFollowers,
  listFollowing,
} from './queries'
import { FollowEntry, Following } from './schema'

const FollowListInput = Type.Object({ username: line(1, 100), ...pageFields })

export const followUser = action({
  name: 'followUser',
  access: 'user',
  summary: 'Follow a person',
  input: UsernameInput,
  output: Following,
  errors: ['not_found'],
  run: async (caller, { username }) => {
    const { id } = await visiblePerson(caller, username)
    return transaction(async (tx) =>
      (await follow(tx, caller, id))
        ? ({ following: true } as const)
        : ({ following: true, alreadyFollowing: true } as const),
    )
  },
})

export const unfollowUser = action({
  name: 'unfollowUser',
  access: 'user',
  summary: 'Stop following a person',
  input: UsernameInput,
  output: Nothing,
  errors: ['not_found'],
  run: async (caller, { username }) => {
    const { id } = await visiblePerson(caller, username)
    await transaction(async (tx) => {
      const { follower, followee } = await lockPair(tx, caller, id)
      const ended = await deleteFollow(tx, follower.id, followee.id)
      if (!ended) return
      await countPair(tx, ended, -1)
      await emit(tx, 'user.unfollowed', { followerId: follower.id, followeeId: followee.id })
    })
  },
})

export const listUserFollowers = action({
  name: 'listUserFollowers',
  access: 'read:user',
  openOnSite: true,
  summary: 'List followers of a person',
  input: FollowListInput,
  output: pageOf(FollowEntry),
  errors: ['not_found'],
  run: async (caller, { username, ...input }) => {
    const { id, followerCount } = await visiblePerson(caller, username)
    return keysetPage(
      {
        list: `followers:${id}`,
        input,
        order: FOLLOWERS_ORDER,
        rows: (after) => listFollowers(db, id, after),
        total: followerCount,
      },
      presentFollow,
    )
  },
})

export const listUserFollowing = action({
  name: 'listUserFollowing',
  access: 'read:user',
  openOnSite: true,
  summary: 'List people whom a person follows',
  input: FollowListInput,
  output: pageOf(FollowEntry),
  errors: ['not_found'],
  run: async (caller, { username, ...input }) => {
    const { id, followingCount } = await visiblePerson(caller, username)
    return keysetPage(
      {
        list: `following:${id}`,
        input,
        order: FOLLOWING_ORDER,
        rows: (after) => listFollowing(db, id, after),
        total: followingCount,
      },
      presentFollow,
    )
  },
})

const presentFollow = ({ username, name, avatarUrl, at }: FollowRow) => ({
  username,
  name,
  avatarUrl,
  followedAt: iso(at),
})
