import type { Caller } from '@/core/caller'
import type { Page } from '@/core/page'
import { logo, origin } from '@/modules/access/oauth/authorize/consent-page'
import { linesOf } from '@/modules/access/oauth/scope-words'
import { summary } from '@/web/fields'
import type { Sent } from '@/web/form'
import { formToken } from '@/web/form-token'
import { type Html, html } from '@/web/html'
import { day } from '@/web/time'
import type { Words } from '@/words/words'
import type { Connection } from './list'

export const PATH = '/settings/applications'

/** Lists connected applications, their permissions and what they created, with a button to revoke each. */
export const connectionsPage = (
  { data, pagination: { nextCursor } }: Page<Connection>,
  caller: Caller,
  words: Words,
  { hasEnded, isFirst, sent }: { hasEnded: boolean; isFirst: boolean; sent?: Sent },
): Html => {
  const said = words.access.applications
  return html`<p class="quiet">${said.lead}</p>
${summary(sent)}${hasEnded && html`<p class="notice" role="status">${said.ended}</p>`}
${data.length === 0 && (isFirst ? none(said) : html`<p class="card">${said.noMore}</p>`)}
${data.map((connection) => card(connection, caller, words))}
${!isFirst && html`<p><a href="${PATH}">${said.newest}</a></p>`}
${nextCursor && html`<p><a rel="next" href="${PATH}?cursor=${encodeURIComponent(nextCursor)}">${said.older}</a></p>`}`
}

type Said = Words['access']['applications']

const none = (said: Said) => html`<section class="card"><h2 class="first">${said.none}</h2>
<p>${said.noneText}</p></section>`

const card = (connection: Connection, caller: Caller, words: Words): Html => {
  const { applications: said, scopes } = words.access
  const { clientName: name, logoUri, grantId } = connection
  return html`<article class="card" aria-labelledby="n-${grantId}">
<div class="app">
${logo({ name, logoUri })}
<div>
<h2 class="first" id="n-${grantId}"><bdi>${name}</bdi></h2>
<p class="quiet small">${origin(connection, words)}</p>
</div>
</div>
<p>${said.itMay}</p>
<ul class="scopes">
${linesOf(connection.scopes).map((scope) => html`<li>${scopes[scope]}</li>`)}
</ul>
<dl class="small">
<dt>${said.allowed}</dt><dd>${day(new Date(connection.grantedAt), words)}</dd>
<dt>${said.lastUsed}</dt><dd>${connection.lastUsedAt ? day(connection.lastUsedAt, words) : said.notUsed}</dd>
${made(said.webhooksMade, connection.webhooks)}
${made(said.applicationsMade, connection.apps)}
</dl>
<details>
<summary>${said.end} <span class="quiet">${said.endOf(html`<bdi>${name}</bdi>`)}</span></summary>
<p>${said.ends({ webhooks: connection.webhooks.length > 0, apps: connection.apps.length > 0 })}</p>
<form method="post" action="${PATH}">
${formToken(caller)}
<input type="hidden" name="grantId" value="${grantId}">
<button class="button danger">${said.end}</button>
</form>
</details>
</article>`
}

/** Renders user input as text, including webhook addresses. */
const made = (label: string, what: string[]): Html | false =>
  what.length > 0 &&
  html`<dt>${label}</dt><dd>${what.map((one, index) => html`${index > 0 && html`<br>`}<bdi>${one}</bdi>`)}</dd>`
