import type { Caller } from '@/core/caller'
import type { Page } from '@/core/page'
import { logo, origin } from '@/modules/access/oauth/authorize/consent-page'
import { linesOf, wordsFor } from '@/modules/access/oauth/scope-words'
import type { Sent } from '@/web/form'
import { formToken } from '@/web/form-token'
import { type Html, html } from '@/web/html'
import { summary } from '@/web/problem'
import { day } from '@/web/time'
import type { Connection } from './list'

export const PATH = '/settings/applications'

/** What may act for a person, what each may do and made, and how to end it. */
export const connectionsPage = (
  { data, pagination: { nextCursor } }: Page<Connection>,
  caller: Caller,
  { hasEnded, isFirst, sent }: { hasEnded: boolean; isFirst: boolean; sent?: Sent },
): Html => html`<h1>Connected applications</h1>
<p class="quiet">Applications that you allowed to act for you.</p>
${summary(sent)}${hasEnded && html`<p class="notice" role="status">That application is not connected any more: it can do nothing in your name.</p>`}
${data.length === 0 && (isFirst ? NONE : html`<p class="card">There are no more.</p>`)}
${data.map((connection) => card(connection, caller))}
${!isFirst && html`<p><a href="${PATH}">Newest</a></p>`}
${nextCursor && html`<p><a rel="next" href="${PATH}?cursor=${encodeURIComponent(nextCursor)}">Older ones</a></p>`}`

const NONE = html`<section class="card"><h2 class="first">None yet</h2>
<p>When you connect an application, it asks you first. Then it stands here, and you can end it.</p></section>`

const card = (connection: Connection, caller: Caller): Html => {
  const { clientName: name, logoUri, grantId } = connection
  return html`<article class="card" aria-labelledby="n-${grantId}">
<div class="app">
${logo({ name, logoUri })}
<div>
<h2 class="first" id="n-${grantId}"><bdi>${name}</bdi></h2>
<p class="quiet small">${origin(connection)}</p>
</div>
</div>
<p>It may:</p>
<ul class="scopes">
${linesOf(connection.scopes).map((scope) => html`<li>${wordsFor(scope)}</li>`)}
</ul>
<dl class="small">
<dt>Allowed</dt><dd>${day(new Date(connection.grantedAt))}</dd>
<dt>Last used</dt><dd>${connection.lastUsedAt ? day(connection.lastUsedAt) : 'no use seen yet'}</dd>
${made('Webhooks', connection.webhooks)}
${made('Applications', connection.apps)}
</dl>
<details>
<summary>End access <span class="quiet">of <bdi>${name}</bdi></span></summary>
<p>${consequences(connection)}</p>
<form method="post" action="${PATH}">
${formToken(caller)}
<input type="hidden" name="grantId" value="${grantId}">
<button class="button danger">End access</button>
</form>
</details>
</article>`
}

/** Everything that people typed here is text, addresses of webhooks too. */
const made = (label: string, what: string[]): Html | false =>
  what.length > 0 &&
  html`<dt>${label} it made</dt><dd>${what.map((one, index) => html`${index > 0 && html`<br>`}<bdi>${one}</bdi>`)}</dd>`

function consequences({ webhooks, apps }: Connection): string {
  const ends = [
    'It can do nothing in your name from now on',
    webhooks.length > 0 && 'the webhooks that it made are switched off',
    apps.length > 0 && 'the applications that it registered are deleted',
  ].filter((one) => one !== false)
  return `${ends.join(', ')}. If you want it back, connect it again.`
}
