import { type Html, html } from '@/web/html'

type Known = { what?: string; query: string; requestId: string }

/** What a developer needs to find a mistake. It is folded away from people, who can pass it on. */
export function forDevelopers({ what, query, requestId }: Known): Html {
  const sent = new URLSearchParams(query)
  return html`<details class="details small">
<summary>For developers</summary>
<dl>
${what !== undefined && html`<dt>What is wrong</dt><dd>${what}</dd>`}
${sent.has('client_id') && html`<dt>client_id</dt><dd>${asSent(sent.get('client_id'))}</dd>`}
${sent.has('redirect_uri') && html`<dt>redirect_uri</dt><dd>${asSent(sent.get('redirect_uri'))}</dd>`}
<dt>Request</dt><dd><code>${requestId}</code></dd>
</dl>
<p><a href="/docs">How applications ask</a></p>
</details>`
}

const LENGTH_MAX = 200

/** What has spaces or letters of other scripts is no id and no address, and could be a message to whoever reads it. */
function asSent(value: string | null): Html {
  if (!value) return html`empty`
  if (!/^[\x21-\x7e]+$/.test(value)) return html`not well-formed`
  return html`<code>${value.length > LENGTH_MAX ? `${value.slice(0, LENGTH_MAX)}…` : value}</code>`
}
