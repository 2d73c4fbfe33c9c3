import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { deleteProfile, readMe } from '@/modules/account/me/actions'
import { line, summary } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { message } from '@/web/message'
import type { Params } from '@/web/page'
import { settingsPage } from '@/web/settings'
import { DELETED, settingsPath } from './addresses'
import { deedForm } from './parts'

export async function showDelete(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const { settings, privacy } = wordsFor(visit)
  const { username, id } = await invoke(visit, readMe, () => ({}))
  return settingsPage(visit, 'delete', {
    body: html`${summary(sent)}<p class="notice alarm">${settings.deleteText} ${settings.undone} <a href="${settingsPath('data')}">${privacy.before}</a></p>
<h2>${settings.deleteGone}</h2>
<ul>${settings.deleteGoneList.map((one) => html`<li>${one}</li>`)}</ul>
<h2>${settings.deleteStays}</h2>
<ul>${settings.deleteStaysList.map((one) => html`<li>${one}</li>`)}</ul>
${deedForm(visit, {
  name: 'delete',
  fields: html`${line(
    {
      name: 'confirm',
      label: settings.deleteConfirm(username ?? id),
      attributes: html` required autocomplete="off" autocapitalize="none" spellcheck="false"`,
    },
    sent,
  )}`,
  button: settings.deleteButton,
  kind: 'danger',
})}`,
  })
}

export const deleteAccount = forms({
  delete: deed(deleteProfile, {
    fields: ({ settings }) => ({ confirm: settings.username }),
    page: showDelete,
    done: () => DELETED,
  }),
})

export function showDeleted(visit: Visit): Page {
  const { deleted, deletedText, deletedLink } = wordsFor(visit).settings
  return message({ title: deleted, text: deletedText, to: { href: '/', label: deletedLink } })
}
