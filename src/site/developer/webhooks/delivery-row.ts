import type { WebhookDelivery } from '@/modules/developers/webhooks/schema'
import { type Html, html } from '@/web/html'
import { moment } from '@/web/when'
import type { Words } from '@/words/words'

export function deliveryRow(delivery: WebhookDelivery, words: Words, retry: Html): Html {
  const { developer } = words
  const { success, statusCode, error, deliveredAt, nextAttemptAt, attempt, durationMs, eventType, body } =
    delivery
  const isPending = deliveredAt === null
  return html`<li><div class="what"><p class="name"><code>${eventType}</code> <span class="mark${isPending ? ' quiet' : !success && ' alarm'}">${
    isPending
      ? developer.statuses.pending
      : (statusCode ?? (success ? developer.statuses.succeeded : developer.statuses.failed))
  }</span></p>
<p class="quiet small">${deliveredAt && moment(new Date(deliveredAt), null, words)} ${developer.attempt(attempt)}${durationMs !== null && ` · ${durationMs} ms`}</p>
${error && html`<p class="small">${error}</p>`}
${nextAttemptAt && html`<p class="quiet small">${developer.nextAttempt} ${moment(new Date(nextAttemptAt), null, words)}</p>`}
</div>
<div class="end">${retry}</div>${
    body !== null &&
    html`<details><summary>${developer.sentAndAnswered}</summary><dl><dt>${developer.messageId}</dt><dd><code>${delivery.messageId}</code></dd>
<dt>${developer.answer}</dt><dd>${statusCode ?? developer.noAnswer}</dd></dl>
<p class="quiet">${developer.sentBody}</p><pre tabindex="0"><code>${indented(body)}</code></pre></details>`
  }</li>
`
}

const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2)
