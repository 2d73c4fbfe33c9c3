import type { Visit } from '@/http/visit'
import type { Webhook } from '@/modules/developers/webhooks/schema'
import { listEventTypes } from '@/modules/developers/webhooks/testing-actions'
import { secretPage } from '@/site/parts/codes'
import { ask } from '@/web/ask'
import { line, tick } from '@/web/fields'
import type { Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import type { Words } from '@/words/words'
import { webhookPath } from '../developer-page'

/** Shown once, after creation. */
export const secretOf = (visit: Visit, { id = '', secret = '' }: Partial<Webhook> = {}): Page => {
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

export const stateOf = ({ isActive, disabledReason }: Webhook, { developer }: Words): Html =>
  isActive
    ? html`<span class="mark">${developer.active}</span>`
    : html`<span class="mark alarm">${developer.inactive}</span>${disabledReason && html`<p class="small">${disabledReason}</p>`}`

export const webhookLabels = ({ developer: { fields } }: Words) => ({
  url: fields.url,
  eventTypes: fields.eventTypes,
})

export async function webhookFields(
  visit: Visit,
  words: Words,
  webhook?: Webhook,
  sent?: Sent,
): Promise<Html> {
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
