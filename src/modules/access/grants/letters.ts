import { Type } from '@sinclair/typebox'
import { config } from '@/config/config'
import { db } from '@/db/client'
import { listedWithEnded, named } from '@/mail/gathered/listed'
import { letter } from '@/mail/letter'
import { findGrantsAmong } from './queries'

/** A grant may be extended several times. */
export const grantItem = (grantId: string, eventId: string) => `${grantId} ${eventId}`
const grantIdOf = (item: string) => item.split(' ')[0] as string

/** Applications were connected or got more scopes. Their names are their developers' words; revoked ones are only counted. */
export const appConnectedLetter = letter({
  name: 'app-connected',
  kind: null,
  urgency: 'security',
  gathers: { waitMs: 0, everyMs: 10 * 60_000 },
  data: Type.Object({}),
  write: async ({ reader, words, items }) => {
    const ids = [...new Set(items.map(grantIdOf))]
    const grants = reader ? await findGrantsAmong(db, reader.userId, ids) : []
    if (ids.length === 0) return null
    const { subject, text, ended, notYou, button } = words.accountMails.appConnected
    const entries = grants.map(({ clientName, scopes }) => ({
      text: words.newsMails.quoted(named(clientName)),
      about: scopes.join(' '),
    }))
    return {
      subject,
      parts: [
        { say: text },
        ...listedWithEnded(entries, { ended: ids.length - grants.length, say: ended }, words),
        { say: notYou },
        { button, url: `${config.baseUrl}/settings/applications` },
      ],
    }
  },
})
