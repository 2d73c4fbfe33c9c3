import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { listLinkedAccounts, unlinkAccount } from '@/modules/access/sign-in/linked-accounts/actions'
import { providers } from '@/modules/access/sign-in/providers/definitions'
import { changeEmail, readEmailChange, takeBackEmailChange } from '@/modules/account/address-change/actions'
import { readMe } from '@/modules/account/me/actions'
import { canSendMail } from '@/outbound/mail/send'
import { line, summary } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { loginPath } from '@/web/login'
import type { Params } from '@/web/page'
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
  // An account of an unconfigured provider can still be unlinked.
  const ids = [...new Set([...providers.keys(), ...linked.keys()])]
  return settingsPage(visit, 'accounts', {
    body: html`<p class="quiet">${settings.accountsText}</p>
${summary(sent)}${done(askedOf(visit).has('done') && settings.changed)}<section class="card"><h2 class="first">${settings.byMail}</h2>
<p>${email ?? settings.noMail}</p><p class="quiet small">${settings.byMailText}</p>
${canSendMail() && (await addressForms(visit, email ?? null, sent))}</section>
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

async function addressForms(visit: Visit, email: string | null, sent: Sent | undefined): Promise<Html> {
  const { settings, access } = wordsFor(visit)
  const { asked, isFresh } = await invoke(visit, readEmailChange, () => ({}))
  const title = email === null ? settings.addAddress : settings.changeAddress
  const waits =
    asked &&
    html`<p class="notice">${settings.addressWaits(html`<strong>${asked.email}</strong>`)}</p>
${deedForm(visit, { name: 'keep-email', button: settings.takeBackAddress, kind: 'small plain' })}`
  if (email === null && !isFresh)
    return html`<p class="quiet">${settings.freshSignIn}</p><a class="button plain" href="${loginPath(PATH)}">${access.signIn.title}</a>`
  return html`${waits}${fold({
    title,
    text: settings.changeAddressText,
    isOpen: sent?.problem.field === 'email',
    body: deedForm(visit, {
      name: 'email',
      fields: line(
        {
          name: 'email',
          label: settings.newAddress,
          type: 'email',
          attributes: html` required autocomplete="email" maxlength="254"`,
        },
        sent,
      ),
      button: settings.sendLink,
    }),
  })}`
}

export const changeAccounts = forms({
  email: deed(changeEmail, {
    fields: ({ settings }) => ({ email: settings.newAddress }),
    page: showAccounts,
    done: () => PATH,
  }),
  'keep-email': deed(takeBackEmailChange, { fields: {}, page: showAccounts, done: () => `${PATH}?done` }),
  unlink: deed(unlinkAccount, {
    fields: { provider: null },
    page: showAccounts,
    done: () => `${PATH}?done`,
    ignoredErrors: ['not_found'],
  }),
})
