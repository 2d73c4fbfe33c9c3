import { config } from '@/config/config'
import { notFound } from '@/core/errors'
import type { Visit } from '@/http/visit'
import { createCheckinCode, deleteCheckinCode, listCheckinCodes } from '@/modules/gatherings/checkins/actions'
import { PATH, printedCheckinUrl } from '@/modules/gatherings/checkins/codes'
import type { CheckinCode } from '@/modules/gatherings/checkins/schema'
import { limitsLine, qr } from '@/site/parts/codes'
import { done, emptyState, list, pageAsked } from '@/site/parts/list'
import { danger, deedForm } from '@/site/parts/press'
import { ask } from '@/web/ask'
import { line, moment, summary } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { type EventContext, eventContext, eventPage } from './event-page'
import { eventAt } from './group-page'

export async function showCodes(visit: Visit, params: Params, sent?: Sent): Promise<Page> {
  const context = await eventContext(visit, params)
  const { words, query } = context
  const { manage } = words
  const page = await ask(visit, listCheckinCodes, params, pageAsked(query))
  return eventPage(
    context,
    '/codes',
    html`<div class="columns"><div><p class="lead">${manage.codesText}</p>
${done(query, manage.done)}${summary(sent)}
${list({ page, query, words, row: (code) => codeRow(code, context), empty: emptyState({ title: manage.noCodes }) })}</div>
<aside>${newCode(context, sent)}</aside></div>`,
  )
}

const codeRow = (code: CheckinCode, { path, words, zone, caller, isManager }: EventContext): Html => {
  const { manage } = words
  return html`<li><div class="what"><p class="name"><a href="${path}/codes/${code.id}"><code class="big">${code.code}</code></a></p>
<p class="quiet small"><bdi>${code.label}</bdi> ${limitsLine(code, zone, words)}</p></div>
<div class="end"><a class="button plain small" href="${path}/codes/${code.id}">${manage.showLarge}</a>${
    isManager &&
    danger(caller, {
      deed: 'delete',
      fields: { codeId: code.id },
      title: manage.delete,
      text: manage.deleteCodeText,
      label: manage.delete,
    })
  }</div></li>
`
}

const newCode = ({ caller, zone, words: { manage } }: EventContext, sent?: Sent): Html =>
  html`<section class="card"><h2 class="first">${manage.newCode}</h2>
${deedForm(caller, {
  deed: 'create',
  fields: { timezone: zone },
  body: html`${line({ name: 'label', label: manage.fields.label, hint: manage.hints.label, attributes: html` maxlength="100" dir="auto"` }, sent)}
${line({ name: 'maxUses', label: manage.fields.maxUses, type: 'number', hint: manage.hints.maxUses, attributes: html` min="1" max="1000000"` }, sent)}
${moment({ name: 'expiresAt', label: manage.fields.expiresAt, hint: zone, zone }, sent)}
<button class="button wide">${manage.newCode}</button>`,
})}</section>`

/** One code in full-screen size, for the entrance. */
export async function showCode(visit: Visit, params: Params): Promise<Page> {
  const context = await eventContext(visit, params)
  const { words, event, path, zone } = context
  const { manage } = words
  const code = await findCode(visit, params)
  return {
    title: `${code.code} · ${event.title}`,
    theme: context.group.themeColor ?? undefined,
    body: html`<div class="poster"><p class="above"><a href="${path}/codes">${manage.codes}</a></p>
<h1 dir="auto">${event.title}</h1>
<p>${manage.scanToCheckIn}</p>
${qr(printedCheckinUrl(code.code), manage.codeAlt(code.code))}
<p class="code-text">${code.code}</p>
<p class="quiet small"><bdi>${config.baseUrl}${PATH}/${code.code}</bdi></p>
<p class="quiet small">${limitsLine(code, zone, words)}</p></div>`,
  }
}

/** An event has at most a few hundred, and no action reads a single one. */
async function findCode(visit: Visit, { codeId, ...params }: Params): Promise<CheckinCode> {
  let cursor: string | undefined
  do {
    const { data, pagination } = await ask(visit, listCheckinCodes, params, { limit: 100, cursor })
    const found = data.find(({ id }) => id === codeId?.toLowerCase())
    if (found) return found
    cursor = pagination.nextCursor
  } while (cursor !== undefined)
  throw notFound('Check-in code')
}

const page = showCodes

export const codesForms = forms({
  create: deed(createCheckinCode, {
    fields: ({ manage: { fields } }) => ({
      label: fields.label,
      maxUses: fields.maxUses,
      expiresAt: fields.expiresAt,
    }),
    page,
    done: eventAt('/codes?done=made'),
  }),
  delete: deed(deleteCheckinCode, {
    fields: { codeId: null },
    page,
    done: (_, __, ___, params) => eventAt('/codes?done=deletedCode')(params),
    ignoredErrors: ['not_found'],
  }),
})
