import type { Visit } from '@/http/visit'
import { listCheckinCodes } from '@/modules/gatherings/checkins/actions'
import { createPassSheet, listPassSheets } from '@/modules/gatherings/pass-sheets/actions'
import type { PassSheet } from '@/modules/gatherings/pass-sheets/schema'
import { done, emptyState, list, pageAsked } from '@/site/parts/list'
import { deedForm } from '@/site/parts/press'
import { ask } from '@/web/ask'
import { choice, line, radio, summary } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { moment } from '@/web/when'
import { type EventContext, eventContext, eventPage } from './event-page'
import { eventAt } from './group-page'

const KINDS = ['badges', 'stickers', 'checkin-poster'] as const
const PAPERS = ['a4', 'letter', 'avery-l7160', 'avery-5163', 'badge-86x54'] as const
const SORTS = ['name', 'rsvp'] as const

/** Print sheets. The page refreshes while one is being made. */
export async function showSheets(visit: Visit, params: Params, sent?: Sent): Promise<Page> {
  const context = await eventContext(visit, params)
  const { words, query } = context
  const { manage } = words
  const page = await ask(visit, listPassSheets, params, pageAsked(query))
  const isMaking = page.data.some(({ status }) => status === 'queued' || status === 'rendering')
  return {
    ...eventPage(
      context,
      '/sheets',
      html`<div class="columns"><div><p class="lead">${manage.sheetsText}</p>
${done(query, manage.done)}${summary(sent)}
<div data-live="sheets">${list({ page, query, words, row: (sheet) => sheetRow(sheet, context), empty: emptyState({ title: manage.noSheets }) })}</div></div>
<aside>${await newSheet(context, sent)}</aside></div>`,
    ),
    // Only without script: a reload would lose typed input.
    ...(isMaking && {
      islands: ['live'],
      head: html`<noscript><meta http-equiv="refresh" content="5"></noscript>\n`,
    }),
  }
}

const sheetRow = (sheet: PassSheet, { words, zone }: EventContext): Html => {
  const { manage } = words
  const { status, progress, url, pages, error, missing } = sheet
  return html`<li><div class="what"><p class="name">${manage.kinds[sheet.kind]} · ${manage.papers[sheet.paper]}</p>
<p class="quiet small">${moment(new Date(sheet.createdAt), zone, words)}${pages !== null && ` · ${manage.pages(pages)}`}</p>
${error && html`<p class="wrong small">${manage.sheetFailed}</p>`}
${missing.length > 0 && html`<p class="small">${manage.missing} ${missing.map(({ name }, i) => html`${i > 0 && ', '}<bdi>${name}</bdi>`)}</p>`}</div>
<div class="end">${
    url !== null
      ? html`<a class="button small" href="${new URL(url).pathname}">${manage.download}</a>`
      : status === 'failed'
        ? html`<span class="mark alarm">${manage.failed}</span>`
        : html`<progress max="100" value="${progress}">${progress} %</progress>`
  }</div></li>
`
}

async function newSheet(
  { visit, params, caller, words: { manage } }: EventContext,
  sent?: Sent,
): Promise<Html> {
  const codes = await ask(visit, listCheckinCodes, params, { limit: 100 })
  const { fields, kinds, papers, sorts } = manage
  return html`<section class="card"><h2 class="first">${manage.newSheet}</h2>
${deedForm(caller, {
  deed: 'create',
  body: html`${radio({ name: 'kind', label: fields.kind, value: 'badges', options: KINDS.map((value) => ({ value, label: kinds[value] })) }, sent)}
${choice({ name: 'paper', label: fields.paper, value: 'a4', options: PAPERS.map((value) => ({ value, label: papers[value] })) }, sent)}
${choice({ name: 'sort', label: fields.sort, value: 'name', options: SORTS.map((value) => ({ value, label: sorts[value] })) }, sent)}
${choice({ name: 'checkinCodeId', label: fields.checkinCodeId, value: codes.data[0]?.id, options: codes.data.map(({ id, code, label }) => ({ value: id, label: label ? `${code} · ${label}` : code })) }, sent)}
${line({ name: 'startAt', label: fields.startAt, hint: manage.hints.startAt, type: 'number', value: 1, attributes: html` min="1" max="100"` }, sent)}
<button class="button wide">${manage.newSheet}</button>`,
})}</section>`
}

export const sheetsForms = forms({
  create: deed(createPassSheet, {
    fields: ({ manage: { fields } }) => ({
      kind: fields.kind,
      paper: fields.paper,
      sort: fields.sort,
      checkinCodeId: fields.checkinCodeId,
      startAt: fields.startAt,
    }),
    page: showSheets,
    done: eventAt('/sheets?done=printing'),
  }),
})
