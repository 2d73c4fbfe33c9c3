import { Type } from '@sinclair/typebox'
import { config } from '@/config/config'
import { db } from '@/db/client'
import { listedWithEnded, named } from '@/mail/gathered/listed'
import { letter } from '@/mail/letter'
import { fullDay } from '@/web/when'
import { findTokensAmong } from './queries'

/** New tokens in an account. Deleted ones are only counted. */
export const tokenMadeLetter = letter({
  name: 'token-made',
  kind: null,
  urgency: 'security',
  gathers: { waitMs: 0, everyMs: 10 * 60_000 },
  data: Type.Object({}),
  write: async ({ reader, words, items }) => {
    const tokens = reader ? await findTokensAmong(db, reader.userId, items) : []
    if (reader === null || items.length === 0) return null
    const { subject, text, expires, never, ended, notYou, button } = words.accountMails.tokenMade
    const entries = tokens.map(({ name, prefix, scopes, expiresAt }) => ({
      text: words.newsMails.quoted(named(name)),
      about: [
        `${prefix}…`,
        scopes.join(' '),
        expiresAt ? expires(fullDay(expiresAt, reader.timeZone, words)) : never,
      ].join(' · '),
    }))
    return {
      subject,
      parts: [
        { say: text },
        ...listedWithEnded(entries, { ended: items.length - tokens.length, say: ended }, words),
        { say: notYou },
        { button, url: `${config.baseUrl}/settings/tokens` },
      ],
    }
  },
})
