import type { Visit } from '@/http/visit'
import { createWebhook, listWebhooks } from '@/modules/developers/webhooks/actions'
import type { Webhook } from '@/modules/developers/webhooks/schema'
import { done, emptyState, list } from '@/site/parts/list'
import { deedForm } from '@/site/parts/press'
import { ask, queryIn } from '@/web/ask'
import { summary } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { type Params, signedIn } from '@/web/page'
import type { Words } from '@/words/words'
import { developerPage, WEBHOOKS, webhookPath } from '../developer-page'
import { secretOf, stateOf, webhookFields, webhookLabels } from './fields'

export async function showNewWebhook(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const caller = signedIn(visit)
  const words = wordsFor(visit)
  const { developer } = words
  return developerPage(
    words,
    WEBHOOKS,
    developer.newWebhook,
    html`<div class="text">${summary(sent)}${deedForm(caller, {
      deed: 'create',
      body: html`${await webhookFields(visit, words, undefined, sent)}
<button class="button wide">${developer.newWebhook}</button>`,
    })}</div>`,
  )
}

export const newWebhookForms = forms({
  create: deed(createWebhook, {
    fields: webhookLabels,
    page: showNewWebhook,
    done: (_, webhook, visit) => secretOf(visit, webhook),
  }),
})

export async function showWebhooks(visit: Visit): Promise<Page> {
  signedIn(visit)
  const [words, query] = [wordsFor(visit), queryIn(visit)]
  const { developer } = words
  const { webhooks } = await ask(visit, listWebhooks)
  const create = { href: `${WEBHOOKS}/new`, label: developer.newWebhook }
  return developerPage(
    words,
    WEBHOOKS,
    developer.webhooks,
    html`${done(query, developer.done)}${list({
      page: { data: webhooks },
      query,
      words,
      row: (webhook) => webhookRow(webhook, words),
      empty: emptyState({ title: developer.noWebhooks, text: developer.webhookText, to: create }),
    })}
${webhooks.length > 0 && html`<a class="button" href="${create.href}">${create.label}</a>`}`,
  )
}

const webhookRow = (webhook: Webhook, words: Words): Html =>
  html`<li><div class="what"><h2><a href="${webhookPath(webhook.id)}"><bdi>${webhook.url}</bdi></a></h2>
<p class="quiet small">${webhook.eventTypes.join(', ')}</p></div>
<div class="end">${stateOf(webhook, words)}</div></li>
`
