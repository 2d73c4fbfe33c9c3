import { Type } from '@sinclair/typebox'
import { config } from '@/config/config'
import { db } from '@/db/client'
import { listedWithEnded, named } from '@/mail/gathered/listed'
import { letter } from '@/mail/letter'
import { findAppsAmong } from './queries'

/** New applications in a person's name. Deleted ones are only counted. */
export const appRegisteredLetter = letter({
  name: 'app-registered',
  kind: null,
  urgency: 'security',
  gathers: { waitMs: 0, everyMs: 10 * 60_000 },
  data: Type.Object({}),
  write: async ({ reader, words, items }) => {
    const apps = reader ? await findAppsAmong(db, reader.userId, items) : []
    if (items.length === 0) return null
    const { subject, text, ended, notYou, button } = words.accountMails.appRegistered
    const entries = apps.map(({ name, clientId }) => ({
      text: words.newsMails.quoted(named(name)),
      about: clientId,
    }))
    return {
      subject,
      parts: [
        { say: text },
        ...listedWithEnded(entries, { ended: items.length - apps.length, say: ended }, words),
        { say: notYou },
        { button, url: `${config.baseUrl}/developer/apps` },
      ],
    }
  },
})
