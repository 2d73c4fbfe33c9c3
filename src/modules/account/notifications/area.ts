import { Elysia } from 'elysia'
import { DOCUMENT } from '@/http/route-traits'
import { serve } from '@/http/serve'
import { page } from '@/web/page'
import { readNotifications, updateNotifications } from './actions'
import { settingsLink, showUnsubscribe, unsubscribe } from './unsubscribe-pages'

/** Holding the mail is enough, without sign-in. */
const ANYONE = { traits: DOCUMENT, back: settingsLink }

const notificationRoutes = new Elysia({ tags: ['User'] })
  .get('/v1/profile/notifications', ...serve(readNotifications))
  .patch('/v1/profile/notifications', ...serve(updateNotifications))
  .get('/unsubscribe/:token', ...page(showUnsubscribe, ANYONE))
  .post('/unsubscribe/:token', ...page(unsubscribe, ANYONE))

export const notificationsArea = {
  routes: notificationRoutes,
}
