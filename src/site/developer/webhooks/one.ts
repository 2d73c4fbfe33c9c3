import type { ResultOf } from '@/core/action'
import { notFound } from '@/core/errors'
import type { Visit } from '@/http/visit'
import {
  changeWebhook,
  deleteWebhook,
  listWebhooks,
  rotateWebhookSecret,
} from '@/modules/developers/webhooks/actions'
import { listDeliveries, retryWebhookMessage } from '@/modules/developers/webhooks/deliveries/actions'
import type { Webhook } from '@/modules/developers/webhooks/schema'
import { listEventTypes, testWebhook } from '@/modules/developers/webhooks/testing-actions'
import { chips, done, emptyState, list } from '@/site/parts/list'
import { danger, deedForm, press } from '@/site/parts/press'
import { ask, queryIn } from '@/web/ask'
import { choice, summary } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { type Params, signedIn } from '@/web/page'
import type { Words } from '@/words/words'
import { developerPage, WEBHOOKS, webhookPath } from '../developer-page'
import { deliveryRow } from './delivery-row'
import { secretOf, stateOf, webhookFields, webhookLabels } from './fields'

const STATUSES = ['failed', 'succeeded', 'pending'] as const
const SHOWN = 50

type Tested = ResultOf<typeof testWebhook>

/** One webhook: its status, recent deliveries, and actions. */
export async function showWebhook(visit: Visit, params: Params, sent?: Sent, tested?: Tested): Promise<Page> {
  const caller = signedIn(visit)
  const [words, query] = [wordsFor(visit), queryIn(visit)]
  const { developer, frame } = words
  const webhook = await findWebhook(visit, params)
  const status = STATUSES.find((one) => one === query.get('status'))
  const { deliveries } = await ask(visit, listDeliveries, params, { limit: SHOWN, status })
  const { data: types } = await ask(visit, listEventTypes)
  return developerPage(
    words,
    WEBHOOKS,
    webhook.url,
    html`<div class="columns"><div>${done(query, developer.done)}${tested && testedNotice(tested, words)}${summary(sent)}
<p>${stateOf(webhook, words)} <span class="quiet">${webhook.eventTypes.join(', ')}</span></p>
<h2>${developer.deliveries}</h2>
${chips(developer.deliveries, 'status', status ?? '', [{ value: '', label: developer.all }, ...STATUSES.map((value) => ({ value, label: developer.statuses[value] }))])}
${list({
  page: { data: deliveries },
  query,
  words,
  row: (delivery) =>
    deliveryRow(
      delivery,
      words,
      press(caller, { deed: 'retry', fields: { messageId: delivery.messageId }, label: developer.retry }),
    ),
  empty: emptyState({ title: developer.noDeliveries, text: developer.noDeliveriesText, level: 'h3' }),
})}</div>
<aside><section class="card"><h2 class="first">${developer.test}</h2>
${deedForm(caller, {
  deed: 'test',
  body: html`${choice({ name: 'eventType', label: developer.fields.eventType, value: 'webhook.test', options: types.map(({ type }) => ({ value: type, label: type })) })}
<button class="button wide">${developer.test}</button>`,
})}</section>
<section class="card">${press(caller, {
      deed: 'switch',
      fields: { isActive: String(!webhook.isActive) },
      label: webhook.isActive ? developer.switchOff : developer.switchOn,
      kind: 'plain wide',
    })}
<details${sent && html` open`}><summary>${developer.change}</summary>
${deedForm(caller, {
  deed: 'save',
  body: html`${await webhookFields(visit, words, webhook, sent)}
<button class="button wide">${frame.save}</button>`,
})}</details>
${danger(caller, { deed: 'rotate', title: developer.rotate, text: developer.rotateText, label: developer.rotate })}
${danger(caller, { deed: 'delete', title: developer.deleteWebhook, text: developer.deleteWebhookText, label: developer.deleteWebhook })}</section></aside></div>`,
  )
}

const testedNotice = ({ success, statusCode, responseBody }: Tested, { developer }: Words): Html =>
  html`<div class="notice${!success && ' alarm'}" role="status"><p>${success ? developer.testWorked : developer.testFailed}${statusCode !== null && ` (${statusCode})`}</p>${
    responseBody && html`<pre><code>${responseBody}</code></pre>`
  }</div>`

/** A person has few, and no action reads a single one. */
async function findWebhook(visit: Visit, { id }: Params): Promise<Webhook> {
  const { webhooks } = await ask(visit, listWebhooks)
  const found = webhooks.find((webhook) => webhook.id === id?.toLowerCase())
  if (!found) throw notFound('Webhook')
  return found
}

const page = showWebhook
const at =
  (rest: string) =>
  ({ id }: Record<string, unknown>) =>
    `${webhookPath(String(id))}${rest}`

export const webhookForms = forms({
  save: deed(changeWebhook, { fields: webhookLabels, page, done: at('?done=saved') }),
  switch: deed(changeWebhook, { fields: { isActive: null }, page, done: at('?done=saved') }),
  test: deed(testWebhook, {
    fields: ({ developer: { fields } }) => ({ eventType: fields.eventType }),
    page,
    done: (_, tested, visit, params) => showWebhook(visit, params, undefined, tested),
  }),
  retry: deed(retryWebhookMessage, { fields: { messageId: null }, page, done: at('?done=retried') }),
  rotate: deed(rotateWebhookSecret, {
    fields: {},
    page,
    done: (_, webhook, visit) => secretOf(visit, webhook),
  }),
  delete: deed(deleteWebhook, {
    fields: {},
    page,
    done: () => `${WEBHOOKS}?done=deleted`,
    ignoredErrors: ['not_found'],
  }),
})
