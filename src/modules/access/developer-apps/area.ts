import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { config } from '@/config/config'
import type { EventData } from '@/core/domain-events'
import { db } from '@/db/client'
import { serve } from '@/http/serve'
import { gather } from '@/mail/gathered/gather'
import { listedWithEnded, named } from '@/mail/gathered/listed'
import { letter } from '@/mail/letter'
import { listener } from '@/outbox/listener'
import { changeApp, createApp, getApp, listApps, regenerateAppSecret, removeApp } from './actions'
import { appPictures } from './pictures'
import { findAppsAmong } from './queries'

/** New applications in a person's name. Deleted ones are only counted. */
const appRegisteredLetter = letter({
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

/** Mails the owner of a new application at once. */
const appMailListener = listener({
  name: 'app-mail',
  on: ['app.created'],
  react: (tx, { data }) => {
    const { clientId, userId } = data as EventData<'app.created'>
    return gather(tx, appRegisteredLetter, userId, clientId)
  },
})

const developerAppRoutes = new Elysia({ prefix: '/v1/developer/apps', tags: ['Developer'] })
  .get('', ...serve(listApps))
  .post('', ...serve(createApp, { status: 201 }))
  .get('/:clientId', ...serve(getApp))
  .patch('/:clientId', ...serve(changeApp))
  .delete('/:clientId', ...serve(removeApp))
  .post('/:clientId/regenerate-secret', ...serve(regenerateAppSecret))

export const developerAppsArea = {
  routes: developerAppRoutes,
  listeners: [appMailListener],
  letters: [appRegisteredLetter],
  pictures: appPictures,
}
