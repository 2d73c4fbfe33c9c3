import { Type } from '@sinclair/typebox'
import { config } from '@/config/config'
import { DAY_MS } from '@/core/clock'
import { db } from '@/db/client'
import { listed, named } from '@/mail/gathered/listed'
import { letter } from '@/mail/letter'
import { findFollowersAmong } from './queries'

/** Lists only followers who still follow and are visible when the mail is sent. */
export const newFollowerLetter = letter({
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
