import { nowMs } from '@/core/clock'
import { SCOPE_NAMES } from '@/core/scopes'
import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { areasOf } from '@/modules/access/oauth/scope-words'
import { createToken, listTokens, revokeToken } from '@/modules/access/tokens/actions'
import type { Token } from '@/modules/access/tokens/schema'
import { pageAsked, pager } from '@/site/parts/list'
import { choice, line, summary, tick } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { type Params, signedIn } from '@/web/page'
import { settingsPage } from '@/web/settings'
import type { Words } from '@/words/words'
import { settingsPath } from './addresses'
import { askedOf, dayIn, deedForm, done, fold } from './parts'

const PATH = settingsPath('tokens')
const DAYS = [30, 90]
const DAYS_AT_FIRST = '90'

export async function showTokens(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const words = wordsFor(visit)
  const { settings } = words
  const asked = askedOf(visit)
  const { data, pagination } = await invoke(visit, listTokens, () => ({ limit: 20, ...pageAsked(asked) }))
  return settingsPage(visit, 'tokens', {
    body: html`<p class="quiet">${settings.tokensText}</p>
${summary(sent)}${done(asked.has('done') && settings.changed)}${
  data.length === 0 && html`<p class="quiet">${settings.tokensEmpty}</p>`
}${data.map((token) => card(visit, token, words))}${pager(pagination, asked, words)}
${fold({
  title: settings.newToken,
  isOpen: data.length === 0 || asked.get('do') === 'create',
  body: deedForm(visit, { name: 'create', fields: fields(visit, words, sent), button: settings.createToken }),
})}
<p class="after"><a href="/developer">${settings.developerLink}</a></p>`,
  })
}

const card = (visit: Visit, token: Token, words: Words): Html => {
  const { settings } = words
  const { id, name, tokenPrefix, scopes, createdAt, expiresAt, lastUsedAt } = token
  const hasExpired = expiresAt !== null && Date.parse(expiresAt) <= nowMs()
  return html`<article class="card" aria-labelledby="t-${id}">
<h2 class="first" id="t-${id}" dir="auto">${name}${hasExpired && html` <span class="mark alarm">${settings.expired}</span>`}</h2>
<p><code>${tokenPrefix}…</code></p>
<p class="small quiet">${createdAt && html`${settings.created} ${dayIn(words, createdAt)}, `}${
    expiresAt ? html`${settings.expires} ${dayIn(words, expiresAt)}` : settings.neverExpires
  }, ${lastUsedAt ? html`${settings.lastUsed} ${dayIn(words, lastUsedAt)}` : settings.neverUsed}</p>
<p class="small"><code>${scopes}</code></p>
${fold({
  title: settings.revoke,
  text: settings.revokeText(name),
  isAlarm: true,
  body: deedForm(visit, { name: 'revoke', hidden: { id }, button: settings.revoke, kind: 'danger' }),
})}
</article>\n`
}

function fields(visit: Visit, words: Words, sent: Sent | undefined): Html {
  const { settings } = words
  const { scopes } = signedIn(visit)
  const isWrong = sent?.problem.field === 'scopes'
  return html`
${line({ name: 'name', label: settings.tokenName, hint: settings.tokenNameHint, attributes: html` required maxlength="100"` }, sent)}
${choice(
  {
    name: 'expiresInDays',
    label: settings.tokenExpiry,
    value: DAYS_AT_FIRST,
    options: [
      ...DAYS.map((days) => ({ value: String(days), label: settings.days(days) })),
      { value: '365', label: settings.year },
      { value: '', label: settings.never },
    ],
  },
  sent,
)}
<fieldset class="choice" id="scopes"${isWrong && html` aria-describedby="scopes-problem"`}><legend>${settings.tokenScopes}</legend>
${isWrong && html`<p class="wrong small" id="scopes-problem">${sent.problem.text}</p>`}${areasOf(
  SCOPE_NAMES.filter((scope) => scopes.has(scope)),
).map(
  ({ area, lines }) => html`<h2>${words.access.areas[area]}</h2>
${lines.map((scope) => tick({ name: 'scopes', value: scope, label: words.access.scopes[scope], hint: html`<code>${scope}</code>` }, sent))}\n`,
)}</fieldset>
`
}

/** Shows a token once, as the direct answer to the form, so that no address leads to it. */
const showCreated = (visit: Visit, { token }: { token: string }): Page => {
  const { settings } = wordsFor(visit)
  return settingsPage(visit, 'tokens', {
    title: settings.tokenMade,
    islands: ['copy'],
    body: html`<p class="notice" role="status">${settings.tokenOnce}</p>
<p><code class="secret" id="secret">${token}</code></p>
<p class="buttons"><button class="button" type="button" data-copy="secret" data-done="${settings.copied}" hidden>${settings.copy}</button><a class="button plain" href="${PATH}">${settings.tokenKept}</a></p>`,
  })
}

export const changeTokens = forms({
  create: deed(createToken, {
    fields: ({ settings }) => ({
      name: settings.tokenName,
      scopes: settings.tokenScopes,
      expiresInDays: settings.tokenExpiry,
    }),
    page: showTokens,
    done: (_, made, visit) => (made ? showCreated(visit, made) : PATH),
  }),
  revoke: deed(revokeToken, {
    fields: { id: null },
    page: showTokens,
    done: () => `${PATH}?done`,
    ignoredErrors: ['not_found'],
  }),
})
