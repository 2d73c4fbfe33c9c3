import { MAIL_KIND_NAMES } from '@/core/mail-kinds'
import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { readMe } from '@/modules/account/me/actions'
import { readNotifications, updateNotifications } from '@/modules/account/notifications/actions'
import { summary, tick } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { settingsPage } from '@/web/settings'
import { settingsPath } from './addresses'
import { askedOf, deedForm, done } from './parts'

const PATH = settingsPath('mail')

export async function showMail(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const { settings, mail, frame } = wordsFor(visit)
  const { email } = await invoke(visit, readMe, () => ({}))
  const chosen = await invoke(visit, readNotifications, () => ({}))
  return settingsPage(visit, 'mail', {
    body: html`${summary(sent)}${done(askedOf(visit).has('saved') && settings.saved)}<p class="quiet">${
      email ? settings.mailGoesTo(email) : settings.mailNowhere
    } <a href="${settingsPath('accounts')}">${settings.changeAddress}</a></p>
${deedForm(visit, {
  name: 'switch',
  fields: html`<fieldset class="choice"><legend>${settings.mailAbout}</legend>
${MAIL_KIND_NAMES.map(
  (kind) =>
    html`${tick({ name: kind, label: mail.kinds[kind].name, hint: mail.kinds[kind].hint, checked: chosen[kind] }, sent)}\n`,
)}</fieldset>
`,
  button: frame.save,
})}
<p><a href="${settingsPath('preferences')}">${settings.pages.preferences}</a></p>
<h2>${settings.mailAlways}</h2>
<p class="quiet">${settings.mailAlwaysText}</p>`,
  })
}

const NAMES = Object.fromEntries(MAIL_KIND_NAMES.map((kind) => [kind, null]))

export const changeMail = forms({
  switch: deed(updateNotifications, { fields: NAMES, page: showMail, done: () => `${PATH}?saved` }),
})
