import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { config } from '@/config/config'
import { DAY_MS } from '@/core/clock'
import type { EventData } from '@/core/domain-events'
import { db } from '@/db/client'
import { serve } from '@/http/serve'
import { gather } from '@/mail/gathered/gather'
import { listed, named } from '@/mail/gathered/listed'
import { letter } from '@/mail/letter'
import { toolbox } from '@/mcp/tool'
import { listener } from '@/outbox/listener'
import { followUser, listUserFollowers, listUserFollowing, unfollowUser } from './actions'
import { findFollowersAmong } from './queries'

/** Lists only followers who still follow and are visible when the mail is sent. */
const newFollowerLetter = letter({
  name: 'new-follower',
  kind: 'newFollower',
  urgency: 'news',
  gathers: { waitMs: 15 * 60_000, everyMs: DAY_MS },
  data: Type.Object({}),
  write: async ({ reader, words, items }) => {
    const followers = reader ? await findFollowersAmong(db, reader.userId, items) : []
    if (reader === null || followers.length === 0) return null
    const { one, several, title, text, button } = words.newsMails.newFollower
    const entries = followers.map(({ name, username }) => ({
      text: words.newsMails.quoted(named(name)),
      about: `@${username}`,
      url: `${config.baseUrl}/u/${username}`,
    }))
    return {
      // Followers choose their own names, possibly as spam, so the subject has none.
      subject: followers.length === 1 ? one : several(followers.length),
      title,
      parts: [
        { say: text },
        ...listed(entries, words),
        ...(reader.username ? [{ button, url: `${config.baseUrl}/u/${reader.username}/followers` }] : []),
      ],
    }
  },
})

const followsTools = toolbox({
  users_follow: [
    followUser,
    {
      title: 'Follow a person',
      idempotent: true,
      description: 'Follows a person by username and notifies them. Example: {"username":"ada"}.',
    },
  ],
  users_unfollow: [
    unfollowUser,
    {
      title: 'Stop following',
      idempotent: true,
      destructive: true,
      description: 'Stops following a person, without a notice to them. Example: {"username":"ada"}.',
    },
  ],
  users_followers: [
    listUserFollowers,
    {
      title: 'List followers',
      description: 'Lists the followers of a person. Example: {"username":"ada"}.',
    },
  ],
  users_following: [
    listUserFollowing,
    {
      title: 'List followed people',
      description: 'Lists the people whom a person follows. Example: {"username":"ada"}.',
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
