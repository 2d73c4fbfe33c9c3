import { Elysia } from 'elysia'
import { config } from '@/config/config'
import type { Visit } from '@/http/visit'
import { copyable } from '@/site/parts/codes'
import { html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { page, signedIn } from '@/web/page'
import { appForms, newAppForms, showApp, showApps, showNewApp } from './apps'
import { APPS, DEVELOPER, developerPage, TOKENS, WEBHOOKS } from './developer-page'
import { newWebhookForms, showNewWebhook, showWebhooks } from './webhooks/list'
import { showWebhook, webhookForms } from './webhooks/one'

function showDeveloper(visit: Visit): Page {
  signedIn(visit)
  const words = wordsFor(visit)
  const { developer } = words
  const steps = [
    { href: TOKENS, title: developer.token, text: developer.tokenText },
    { href: `${APPS}/new`, title: developer.newApp, text: developer.appText },
    { href: `${WEBHOOKS}/new`, title: developer.newWebhook, text: developer.webhookText },
  ]
  return {
    ...developerPage(
      words,
      DEVELOPER,
      developer.title,
      html`<p class="lead">${developer.lead}</p>
<ol class="tiles" role="list">${steps.map(
        ({ href, title, text }, place) =>
          html`<li><article class="tile"><div class="about"><span class="emblem" aria-hidden="true">${place + 1}</span><div><h2><a href="${href}">${title}</a></h2><p class="quiet">${text}</p></div></div></article></li>`,
      )}</ol>
${copyable('curl', developer.tryIt, `curl -H "Authorization: Bearer $TOKEN" ${config.baseUrl}/v1/me`, developer)}
${copyable('mcp', developer.agents, `${config.baseUrl}/mcp`, developer)}
<h2>${developer.readOn}</h2>
<ul class="rows" role="list"><li><a href="/docs">${developer.docs}</a></li><li><a href="/openapi.json">${developer.openapi}</a></li><li><a href="/schemas">${developer.schemas}</a></li></ul>`,
    ),
    islands: ['copy'],
  }
}

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
