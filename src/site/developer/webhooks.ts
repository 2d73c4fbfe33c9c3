import type { ResultOf } from '@/core/action'
import { notFound } from '@/core/errors'
import type { Visit } from '@/http/visit'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rotateWebhookSecret,
} from '@/modules/developers/webhooks/actions'
import { listDeliveries, retryWebhookMessage } from '@/modules/developers/webhooks/deliveries/actions'
import type { Webhook, WebhookDelivery } from '@/modules/developers/webhooks/schema'
import { listEventTypes, testWebhook } from '@/modules/developers/webhooks/testing/actions'
import { emptyState } from '@/site/parts/empty'
import { chips } from '@/site/parts/find'
import { done, list } from '@/site/parts/list'
import { danger, deedForm, press } from '@/site/parts/press'
import { secretPage } from '@/site/parts/secret'
import { ask, queryIn } from '@/web/ask'
import { choice, line, tick } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { type Params, signedIn } from '@/web/page'
import { summary } from '@/web/problem'
import { moment } from '@/web/when'
import type { Words } from '@/words/words'
import { room, WEBHOOKS, webhookPath } from './room'

const STATUSES = ['failed', 'succeeded', 'pending'] as const
const SHOWN = 50

export async function showWebhooks(visit: Visit): Promise<Page> {
  signedIn(visit)
  const [words, query] = [wordsFor(visit), queryIn(visit)]
  const { developer } = words
  const { webhooks } = await ask(visit, listWebhooks)
  const anew = { href: `${WEBHOOKS}/new`, label: developer.newWebhook }
  return room(
    words,
    WEBHOOKS,
    developer.webhooks,
    html`${done(query, developer.done)}${list({
      page: { data: webhooks },
      query,
      words,
      row: (webhook) => webhookRow(webhook, words),
      empty: emptyState({ title: developer.noWebhooks, text: developer.webhookText, to: anew }),
    })}
${webhooks.length > 0 && html`<a class="button" href="${anew.href}">${anew.label}</a>`}`,
  )
}

const webhookRow = (webhook: Webhook, words: Words): Html =>
  html`<li><div class="what"><h2><a href="${webhookPath(webhook.id)}"><bdi>${webhook.url}</bdi></a></h2>
<p class="quiet small">${webhook.eventTypes.join(', ')}</p></div>
<div class="end">${stateOf(webhook, words)}</div></li>
`

const stateOf = ({ isActive, disabledReason }: Webhook, { developer }: Words): Html =>
  isActive
    ? html`<span class="mark">${developer.active}</span>`
    : html`<span class="mark alarm">${developer.inactive}</span>${disabledReason && html`<p class="small">${disabledReason}</p>`}`

const webhookLabels = ({ developer: { fields } }: Words) => ({
  url: fields.url,
  eventTypes: fields.eventTypes,
})

async function webhookFields(visit: Visit, words: Words, webhook?: Webhook, sent?: Sent): Promise<Html> {
  const { developer } = words
  const { data: types } = await ask(visit, listEventTypes)
  const chosen = webhook?.eventTypes ?? ['*']
  const known = new Set(['*', ...types.map(({ type }) => type)])
  const others = chosen.filter((type) => !known.has(type))
  const areas = Map.groupBy(types, ({ type }) => type.split('.')[0] as string)
  const box = (value: string, label: string, hint?: string) =>
    tick({ name: 'eventTypes', value, label, hint, checked: chosen.includes(value) }, sent)
  return html`${line({ name: 'url', label: developer.fields.url, hint: developer.hints.url, type: 'url', value: webhook?.url, attributes: html` required maxlength="2048" placeholder="https://"` }, sent)}
<fieldset class="choice" id="eventTypes"><legend><strong>${developer.fields.eventTypes}</strong></legend>
${box('*', developer.everything)}
${others.map((type) => box(type, type))}
${[...areas].map(
  ([area, ofArea]) =>
    html`<details${ofArea.some(({ type }) => chosen.includes(type)) && html` open`}><summary><code>${area}.*</code> <span class="quiet small">${ofArea.length}</span></summary>
${ofArea.map(({ type, description }) => box(type, type, description))}</details>`,
)}</fieldset>`
}

export async function showNewWebhook(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const caller = signedIn(visit)
  const words = wordsFor(visit)
  const { developer } = words
  return room(
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

type Tested = ResultOf<typeof testWebhook>

/** One webhook: whether it works, what was sent, and what can be done about it. */
export async function showWebhook(visit: Visit, params: Params, sent?: Sent, tested?: Tested): Promise<Page> {
  const caller = signedIn(visit)
  const [words, query] = [wordsFor(visit), queryIn(visit)]
  const { developer, frame } = words
  const webhook = await findWebhook(visit, params)
  const status = STATUSES.find((one) => one === query.get('status'))
  const { deliveries } = await ask(visit, listDeliveries, params, { limit: SHOWN, status })
  const { data: types } = await ask(visit, listEventTypes)
  return room(
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

function deliveryRow(delivery: WebhookDelivery, words: Words, retry: Html): Html {
  const { developer } = words
  const { success, statusCode, error, deliveredAt, nextAttemptAt, attempt, durationMs, eventType } = delivery
  const isPending = deliveredAt === null
  return html`<li><div class="what"><p class="name"><code>${eventType}</code> <span class="mark${isPending ? ' quiet' : !success && ' alarm'}">${
    isPending
      ? developer.statuses.pending
      : (statusCode ?? (success ? developer.statuses.succeeded : developer.statuses.failed))
  }</span></p>
<p class="quiet small">${deliveredAt && moment(new Date(deliveredAt), null, words)} ${developer.attempt(attempt)}${durationMs !== null && ` · ${durationMs} ms`}</p>
${error && html`<p class="small">${error}</p>`}
${nextAttemptAt && html`<p class="quiet small">${developer.nextAttempt} ${moment(new Date(nextAttemptAt), null, words)}</p>`}</div>
<div class="end">${retry}</div></li>
`
}

/** A person has at most a few, and no action reads one alone. */
async function findWebhook(visit: Visit, { id }: Params): Promise<Webhook> {
  const { webhooks } = await ask(visit, listWebhooks)
  const found = webhooks.find((webhook) => webhook.id === id?.toLowerCase())
  if (!found) throw notFound('Webhook')
  return found
}

const secretOf = (visit: Visit, { id = '', secret = '' }: Partial<Webhook> = {}): Page => {
  const words = wordsFor(visit)
  const { developer } = words
  return secretPage(
    {
      title: developer.keepSecret,
      text: developer.signsText,
      secrets: [{ label: developer.signingSecret, value: secret }],
      to: { href: webhookPath(id), label: developer.kept },
    },
    words,
  )
}

const page = showWebhook
const at =
  (rest: string) =>
  ({ id }: Record<string, unknown>) =>
    `${webhookPath(String(id))}${rest}`

export const newWebhookForms = forms({
  create: deed(createWebhook, {
    fields: webhookLabels,
    page: showNewWebhook,
    done: (_, webhook, visit) => secretOf(visit, webhook),
  }),
})

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
    soAlready: ['not_found'],
  }),
})
