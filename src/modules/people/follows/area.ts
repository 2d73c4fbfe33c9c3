import { Elysia } from 'elysia'
import type { EventData } from '@/core/domain-events'
import { serve } from '@/http/serve'
import { gather } from '@/mail/gathered/gather'
import { toolbox } from '@/mcp/tool'
import { listener } from '@/outbox/listener'
import { followUser, listUserFollowers, listUserFollowing, unfollowUser } from './actions'
import { newFollowerLetter } from './letters'

const followsTools = toolbox({
  users_follow: [
    followUser,
    {
      title: 'Follow somebody',
      idempotent: true,
      description: 'Follows somebody by username; they are told. Example: {"username":"ada"}.',
    },
  ],
  users_unfollow: [
    unfollowUser,
    {
      title: 'Stop following',
      idempotent: true,
      destructive: true,
      description: 'Stops following somebody; they are not told. Example: {"username":"ada"}.',
    },
  ],
  users_followers: [
    listUserFollowers,
    {
      title: 'List followers',
      description: 'Lists who follows somebody. Example: {"username":"ada"}.',
    },
  ],
  users_following: [
    listUserFollowing,
    {
      title: 'List whom somebody follows',
      description: 'Lists whom somebody follows. Example: {"username":"ada"}.',
    },
  ],
})

/** One mail per day at most, with all new followers; each follower is mentioned once ever. */
const followerMailListener = listener({
  name: 'follower-mail',
  on: ['user.followed'],
  react: (tx, { data }) => {
    const { followerId, followeeId } = data as EventData<'user.followed'>
    return gather(tx, newFollowerLetter, followeeId, followerId)
  },
})

const followRoutes = new Elysia({ prefix: '/v1/users/:username', tags: ['Follows'] })
  .get('/followers', ...serve(listUserFollowers))
  .get('/following', ...serve(listUserFollowing))
  .post(
    '/follow',
    ...serve(followUser, { status: 201, also: { status: 200, when: (result) => result.alreadyFollowing } }),
  )
  .delete('/follow', ...serve(unfollowUser))

export const followsArea = {
  routes: followRoutes,
  tools: followsTools,
  listeners: [followerMailListener],
  letters: [newFollowerLetter],
}
