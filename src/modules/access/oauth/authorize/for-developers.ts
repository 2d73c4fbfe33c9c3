import { type Html, html } from '@/web/html'
import type { Words } from '@/words/words'

type Known = { what?: string; query: string; requestId: string }
type Said = Words['access']['consent']

/** What a developer needs to find a mistake. It is folded away from people, who can pass it on. */
export function forDevelopers({ what, query, requestId }: Known, { access: { consent } }: Words): Html {
  const sent = new URLSearchParams(query)
  return html`<details class="details small">
<summary>${consent.forDevelopers}</summary>
<dl>
${what !== undefined && html`<dt>${consent.whatIsWrong}</dt><dd>${what}</dd>`}
${sent.has('client_id') && html`<dt>client_id</dt><dd>${asSent(sent.get('client_id'), consent)}</dd>`}
${sent.has('redirect_uri') && html`<dt>redirect_uri</dt><dd>${asSent(sent.get('redirect_uri'), consent)}</dd>`}
<dt>${consent.request}</dt><dd><code>${requestId}</code></dd>
</dl>
<p><a href="/docs">${consent.howToAsk}</a></p>
</details>`
}

const LENGTH_MAX = 200

/** What has spaces or letters of other scripts is no id and no address, and could be a message to whoever reads it. */
function asSent(value: string | null, { empty, malformed }: Said): Html {
  if (!value) return html`${empty}`
  if (!/^[\x21-\x7e]+$/.test(value)) return html`${malformed}`
  return html`<code>${value.length > LENGTH_MAX ? `${value.slice(0, LENGTH_MAX)}…` : value}</code>`
}
