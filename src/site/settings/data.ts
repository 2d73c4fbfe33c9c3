import type { Static } from '@sinclair/typebox'
import { invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { deleteProfile, readMe } from '@/modules/account/me/actions'
import { exportProfile, readLastExport } from '@/modules/account/privacy/export/actions'
import { line, summary } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import { message } from '@/web/message'
import type { Params } from '@/web/page'
import { settingsPage } from '@/web/settings'
import { moment } from '@/web/when'
import { LOCALES } from '@/words/language'
import type { Words } from '@/words/words'
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

/** The personal data export. The page refreshes while it is being made. */
export async function showData(visit: Visit, _: Params, sent?: Sent): Promise<Page> {
  const words = wordsFor(visit)
  const { privacy } = words
  const { last } = await invoke(visit, readLastExport, () => ({}))
  const isMaking = last?.status === 'queued' || last?.status === 'rendering'
  return settingsPage(visit, 'data', {
    body: html`${summary(sent)}<p class="lead">${privacy.text}</p>
<div data-live="export" aria-live="polite">${exportStatus(visit, last, words)}</div>
<h2>${privacy.inside}</h2>
<ul>${privacy.insideList.map((one) => html`<li>${one}</li>`)}</ul>
<h2>${privacy.not}</h2>
<ul>${privacy.notList.map((one) => html`<li>${one}</li>`)}</ul>
<p class="quiet">${privacy.care}</p>
<p class="quiet"><a href="${settingsPath('delete')}">${privacy.delete}</a></p>`,
    // Reloads if scripts do not run.
    ...(isMaking && {
      islands: ['live'],
      head: html`<noscript><meta http-equiv="refresh" content="5"></noscript>\n`,
    }),
  })
}

type Last = Static<typeof readLastExport.output>['last']

function exportStatus(visit: Visit, last: Last, words: Words): Html {
  const { privacy } = words
  const begin = (button: string) => deedForm(visit, { name: 'begin', button })
  if (last === null) return begin(privacy.begin)
  switch (last.status) {
    case 'queued':
    case 'rendering':
      return html`<p>${last.status === 'queued' ? privacy.waiting : privacy.making}</p>
<p><progress max="100" value="${last.progress}" aria-label="${privacy.making}">${last.progress} %</progress></p>`
    case 'failed':
      return html`<p class="notice alarm">${privacy.failed}</p>
${begin(privacy.again)}`
    case 'ready':
      return html`<p class="notice" role="status">${privacy.ready(sizeIn(last.size ?? 0, words))}</p>
<p><a class="button" href="${new URL(last.url ?? '').pathname}" download>${privacy.download}</a></p>
<p class="small quiet">${privacy.until} ${moment(new Date(last.keptUntil), null, words)}</p>`
  }
}

const UNITS = ['kilobyte', 'megabyte', 'gigabyte'] as const

function sizeIn(bytes: number, { language }: Words): string {
  const step = Math.min(UNITS.length, Math.max(1, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const unit = UNITS[step - 1] as string
  const format = { style: 'unit', unit, maximumSignificantDigits: 2 } as const
  return new Intl.NumberFormat(LOCALES[language], format).format(bytes / 1000 ** step)
}

export const changeData = forms({
  begin: deed(exportProfile, { fields: {}, page: showData, done: () => settingsPath('data') }),
})
