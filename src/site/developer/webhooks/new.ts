import type { Visit } from '@/http/visit'
import { createWebhook } from '@/modules/developers/webhooks/actions'
import { deedForm } from '@/site/parts/press'
import { summary } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { type Params, signedIn } from '@/web/page'
import { developerPage, WEBHOOKS } from '../developer-page'
import { webhookFields, webhookLabels } from './fields'
import { secretOf } from './secret'

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
