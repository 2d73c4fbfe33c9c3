import { Elysia } from 'elysia'
import { page } from '@/web/page'
import { appForms, newAppForms, showApp, showApps, showNewApp } from './apps'
import { showDeveloper } from './overview'
import { APPS, DEVELOPER, WEBHOOKS } from './room'
import { showWebhooks } from './webhooks/list'
import { newWebhookForms, showNewWebhook } from './webhooks/new'
import { showWebhook, webhookForms } from './webhooks/one'

/** What people do who build on this server. */
export const developerPages = new Elysia()
  .get(DEVELOPER, ...page(showDeveloper))
  .get(APPS, ...page(showApps))
  .get(`${APPS}/new`, ...page(showNewApp))
  .post(`${APPS}/new`, ...newAppForms)
  .get(`${APPS}/:clientId`, ...page(showApp))
  .post(`${APPS}/:clientId`, ...appForms)
  .get(WEBHOOKS, ...page(showWebhooks))
  .get(`${WEBHOOKS}/new`, ...page(showNewWebhook))
  .post(`${WEBHOOKS}/new`, ...newWebhookForms)
  .get(`${WEBHOOKS}/:id`, ...page(showWebhook))
  .post(`${WEBHOOKS}/:id`, ...webhookForms)
