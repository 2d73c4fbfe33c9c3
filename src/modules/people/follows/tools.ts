import { toolbox } from '@/mcp/tool'
import { followUser, listUserFollowers, listUserFollowing, unfollowUser } from './actions'

export const followsTools = toolbox({
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
