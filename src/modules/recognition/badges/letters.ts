import { Type } from '@sinclair/typebox'
import { config } from '@/config/config'
import { DAY_MS } from '@/core/clock'
import { db } from '@/db/client'
import { listed, named } from '@/mail/gathered/listed'
import { letter } from '@/mail/letter'
import { LOCALES } from '@/words/language'
import { findHeldAmong } from './queries'

/** Lists only badges still held when the mail is sent. */
export const badgeEarnedLetter = letter({
  name: 'badge-earned',
  kind: 'badgeEarned',
  urgency: 'news',
  gathers: { waitMs: 15 * 60_000, everyMs: DAY_MS },
  data: Type.Object({}),
  write: async ({ reader, words, items }) => {
    const held = reader ? await findHeldAmong(db, reader.userId, items) : []
    const [first] = held
    if (reader === null || first === undefined) return null
    const { one, several, title, text, about, button } = words.newsMails.badgeEarned
    const entries = held.map(({ badge, group }) => ({
      text: `${badge.icon} ${badge.name}`,
      about: about(
        words.recognition.points(badge.points, badge.points.toLocaleString(LOCALES[words.language])),
        group?.name ?? null,
      ),
      url: `${config.baseUrl}/badges/${badge.slug}`,
    }))
    return {
      subject: held.length === 1 ? one(named(first.badge.name)) : several(held.length),
      title,
      parts: [
        { say: text },
        ...listed(entries, words),
        ...(reader.username ? [{ button, url: `${config.baseUrl}/u/${reader.username}` }] : []),
      ],
    }
  },
})
