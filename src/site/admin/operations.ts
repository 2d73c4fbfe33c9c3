import type { ResultOf } from '@/core/action'
import type { Visit } from '@/http/visit'
import { listAuditLog } from '@/modules/administration/audit-log/actions'
import type { AuditEntry } from '@/modules/administration/audit-log/schema'
import { readJobs } from '@/modules/administration/jobs/actions'
import { listGroupClaims } from '@/modules/community/group-claims/administration-actions'
import { emptyState, list, pageAsked } from '@/site/parts/list'
import { ask } from '@/web/ask'
import { line } from '@/web/fields'
import { type Html, html } from '@/web/html'
import type { Page } from '@/web/layout'
import { moment } from '@/web/when'
import type { Words } from '@/words/words'
import { adminContext, adminPage, pathOf } from './admin-page'

type Figures = ResultOf<typeof readJobs>

/** What needs an administrator's attention. */
export async function showAdmin(visit: Visit): Promise<Page> {
  const context = adminContext(visit)
  const { admin } = context.words
  const figures = await ask(visit, readJobs)
  const claims = await ask(visit, listGroupClaims, {}, { status: 'pending', limit: 100 })
  const waiting = claims.data.length
  return adminPage(
    context,
    '',
    html`${problems(figures, context.words)}
${waiting > 0 && html`<p class="notice"><a href="${pathOf('claims')}">${admin.claimsWait(waiting)}</a></p>`}
${summaryOf(figures, context.words)}
<ul class="chips" role="list">${(['users', 'groups', 'audit', 'jobs'] as const).map((one) => html`<li><a class="chip" href="${pathOf(one)}">${admin.rooms[one]}</a></li>`)}</ul>`,
  )
}

const failedOf = ({ queues }: Figures) => queues.reduce((sum, { failed }) => sum + failed, 0)

/** Queues with failures. */
const failingIn = ({ queues }: Figures): string =>
  queues
    .filter(({ failed }) => failed > 0)
    .map(({ name, failed }) => `${name}: ${failed}`)
    .join(', ')

const problems = (figures: Figures, { admin }: Words): Html => {
  const failed = failedOf(figures)
  return failed + figures.deliveries.dead === 0
    ? html`<p class="notice">${admin.allWell}</p>`
    : html`<p class="notice alarm"><a href="${pathOf('jobs')}">${admin.failures(failed, figures.deliveries.dead)}</a>${failed > 0 && html`<br>${failingIn(figures)}. ${admin.failedRepeat}`}</p>`
}

const summaryOf = ({ outbox, deliveries, uploads, mails }: Figures, { admin }: Words): Html =>
  html`<dl class="stats"><div><dt>${admin.outbox}</dt><dd>${outbox.pending}</dd></div><div><dt>${admin.deliveriesDue}</dt><dd>${deliveries.due}</dd></div><div><dt>${admin.deliveriesDead}</dt><dd>${deliveries.dead}</dd></div><div><dt>${admin.uploads}</dt><dd>${uploads.waiting}</dd></div><div><dt>${admin.mails}</dt><dd>${mails.waiting + mails.retrying}</dd></div><div><dt>${admin.mailsFailed}</dt><dd>${mails.failed}</dd></div></dl>`

export async function showJobs(visit: Visit): Promise<Page> {
  const context = adminContext(visit)
  const { words } = context
  const { admin } = words
  const figures = await ask(visit, readJobs)
  const { columns } = admin
  return {
    ...adminPage(
      context,
      'jobs',
      html`<div data-live="jobs">${problems(figures, words)}${summaryOf(figures, words)}
<section class="scroll" tabindex="0" aria-label="${admin.rooms.jobs}"><table class="numbers"><thead><tr><th scope="col">${columns.queue}</th><th scope="col">${columns.waiting}</th><th scope="col">${columns.active}</th><th scope="col">${columns.delayed}</th><th scope="col">${columns.failed}</th><th scope="col">${columns.oldest}</th></tr></thead>
<tbody>${figures.queues.map(
        ({ name, waiting, active, delayed, failed, oldestSeconds }) =>
          html`<tr><th scope="row">${name}</th><td>${waiting}</td><td>${active}</td><td>${delayed}</td><td>${failed > 0 ? html`<span class="mark alarm">${failed}</span>` : 0}</td><td>${oldestSeconds === null ? '' : `${Math.round(oldestSeconds)} s`}</td></tr>`,
      )}</tbody></table></section></div>`,
    ),
    islands: ['live'],
  }
}

const FILTERS = ['actor', 'action'] as const

export async function showAudit(visit: Visit): Promise<Page> {
  const context = adminContext(visit)
  const { words, query } = context
  const { admin, frame } = words
  const filters = Object.fromEntries(FILTERS.map((name) => [name, query.get(name)?.trim() || undefined]))
  const days = { from: dayOf(query.get('from'), '00:00:00'), to: dayOf(query.get('to'), '23:59:59.999') }
  const page = await ask(visit, listAuditLog, {}, { ...filters, ...days, ...pageAsked(query) })
  return adminPage(
    context,
    'audit',
    html`<form role="search"><div class="pair">${FILTERS.map((name) => html`<div>${line({ name, label: admin.fields[name], value: filters[name], attributes: html` maxlength="100" autocapitalize="none"` })}</div>`)}
<div>${line({ name: 'from', label: admin.fields.from, type: 'date', value: days.from?.slice(0, 10) })}</div><div>${line({ name: 'to', label: admin.fields.to, type: 'date', value: days.to?.slice(0, 10) })}</div></div>
<p class="after"><button class="button plain">${frame.searchFor}</button></p></form>
${list({ page, query, words, row: (entry) => entryRow(entry, words), empty: emptyState({ title: admin.nothing }) })}`,
  )
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** Days are in UTC, like the times of the log. */
const dayOf = (text: string | null, clock: string) =>
  text && DAY.test(text) ? `${text}T${clock}Z` : undefined

const entryRow = (
  { at, actor, actorName, action, targetType, targetId, targetName, changes, requestId }: AuditEntry,
  words: Words,
): Html =>
  html`<li><div class="what"><p class="name"><code>${action}</code> <bdi>${actorName ?? words.admin.somebodyGone}</bdi>${actor && html` <span class="quiet">@${actor}</span>`}</p>
<p class="quiet small">${moment(new Date(at), null, words)} · ${targetType} ${targetName === null ? html`<code>${targetId}</code>` : html`<bdi>${targetName}</bdi>`}</p>
<details><summary>${words.admin.details}</summary><pre><code>${JSON.stringify(changes, null, 2)}</code></pre><p class="quiet small"><code>${targetId}</code> <code>${requestId}</code></p></details></div></li>
`
