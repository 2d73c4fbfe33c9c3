import { Elysia } from 'elysia'
import type { EventData } from '@/core/domain-events'
import { serve } from '@/http/serve'
import { gather } from '@/mail/gathered/gather'
import { listener } from '@/outbox/listener'
import { changeApp, createApp, getApp, listApps, regenerateAppSecret, removeApp } from './actions'
import { appRegisteredLetter } from './letters'
import { appPictures } from './pictures'

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
