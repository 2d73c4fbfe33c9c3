import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { listLinkedAccounts, unlinkAccount } from '@/modules/access/sign-in/linked-accounts/actions'
import { providers } from '@/modules/access/sign-in/providers/definitions'
import { readMe } from '@/modules/account/me/actions'
import { deed, forms, type Sent } from '@/web/form'
import { html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { summary } from '@/web/problem'
import { settingsPage } from '@/web/settings'
import { settingsPath } from './addresses'
import { askedOf, dayIn, deedForm, done, fold } from './parts'

const PATH = settingsPath('accounts')

export async function showAccounts(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const words = wordsFor(visit)
  const { settings } = words
  const { email } = await invoke(visit, readMe, () => ({}))
  const { data } = await invoke(visit, listLinkedAccounts, () => ({}))
  const linked = new Map(data.map((account) => [account.provider, account]))
  // An account of a provider that is not set up any more can still be unlinked.
  const ids = [...new Set([...providers.keys(), ...linked.keys()])]
  return settingsPage(visit, 'accounts', {
    body: html`<p class="quiet">${settings.accountsText}</p>
${summary(sent)}${done(askedOf(visit).has('done') && settings.changed)}<section class="card"><h2 class="first">${settings.byMail}</h2>
<p>${email ?? settings.noMail}</p><p class="quiet small">${settings.byMailText}</p></section>
${ids.length === 0 && html`<p class="quiet">${settings.noProviders}</p>`}${ids.map((id) => {
  const name = providers.get(id)?.name ?? id
  const account = linked.get(id)
  const who = account && [account.providerUsername, account.providerEmail].filter(Boolean).join(' · ')
  return html`<section class="card"><h2 class="first">${name}</h2>
${
  account
    ? html`<p dir="auto">${who}</p><p class="quiet small">${settings.linkedSince} ${account.createdAt && dayIn(words, account.createdAt)}</p>
${fold({
  title: settings.unlinkOf(name),
  text: settings.unlinkText(name),
  isAlarm: true,
  body: deedForm(visit, {
    name: 'unlink',
    hidden: { provider: id },
    button: settings.unlink,
    kind: 'danger',
    about: settings.unlinkOf(name),
  }),
})}`
    : html`<p class="quiet">${settings.notLinked}</p><a class="button plain" href="/auth/${id}?returnTo=${PATH}">${settings.linkTo(name)}</a>`
}</section>\n`
})}`,
  })
}

export const changeAccounts = forms({
  unlink: deed(unlinkAccount, {
    fields: { provider: null },
    page: showAccounts,
    done: () => `${PATH}?done`,
    soAlready: ['not_found'],
  }),
})
