import { nowMs } from '@/core/clock'
import { type Entry, invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { listGroups } from '@/modules/community/groups/actions'
import {
  readGroupLeaderboard,
  readLeaderboard,
  readLeaderboardMovers,
} from '@/modules/recognition/leaderboards/actions'
import { placeOf } from '@/modules/recognition/leaderboards/place'
import { emptyState } from '@/site/parts/list'
import { pointsIn, written } from '@/site/parts/medal'
import { type Html, html } from '@/web/html'
import type { Asked, LoadOpen } from '@/web/open-page'
import { signedIn } from '@/web/page'
import { type Slots, slot } from '@/web/slots'
import type { Words } from '@/words/words'
import { boardTable, moversTable } from './tables'

export const PER_PAGE = 25
export const BOARD_QUERY = ['period', 'group', 'offset'] as const

/** Domain events that change ranks or how people are shown. */
const CHANGES = [
  'badge.awarded',
  'badge.revoked',
  'badge.updated',
  'badge.deleted',
  'badge.settled',
  'score.changed',
  'achievement.unlocked',
  'user.updated',
  'user.deleted',
  'user.suspended',
  'group.updated',
  'group.deleted',
]

/** Gains leave their period with the clock. */
const MOVERS_MS = 60_000

type Shown = { title: string; lead: string; total: number; shown: number; table: Html; endsAt?: number }

export const showLeaderboard: LoadOpen = async (entry, { query, words }) => {
  const period = query.get('period')
  const group = query.get('group')
  const offset = query.get('offset') ?? '0'
  const paging = { limit: PER_PAGE, offset: /^\d{1,9}$/.test(offset) ? Number(offset) : offset }
  const board =
    group !== null
      ? await groupBoard(entry, { slug: group, ...paging }, words)
      : period !== null
        ? await movers(entry, { period, ...paging }, words)
        : await globalBoard(entry, paging, words)
  const groups = await invoke(entry, listGroups, () => ({ limit: 50, sort: 'members' }))
  const said = words.recognition.board
  const { title, lead, total, shown, table, endsAt } = board
  return {
    title,
    description: lead,
    width: 'wide',
    section: 'leaderboard',
    canonical: '/leaderboard',
    about: CHANGES,
    endsAt,
    body: html`<h1 dir="auto">${title}</h1>
<p class="lead">${lead}</p>
${group === null && periods(period, words)}
<form class="find" method="get" action="/leaderboard"><label class="hidden" for="group">${said.whichBoard}</label>
<select id="group" name="group"><option value="">${said.everyone}</option>${groups.data.map(
      ({ name, urlname }) =>
        html`<option value="${urlname}"${urlname === group && html` selected`}>${name}</option>`,
    )}</select>
<button class="button plain">${said.show}</button></form>
${slot('own', html``)}
${table}
${pages(query, Number(paging.offset), shown, total, words)}`,
  }
}

type Paging = { limit: number; offset: number | string }

async function globalBoard(entry: Entry, paging: Paging, words: Words): Promise<Shown> {
  const said = words.recognition.board
  const { entries, total } = await invoke(entry, readLeaderboard, () => paging)
  const table = total === 0 ? emptyBoard(words) : boardTable(entries, total, words)
  return { title: said.title, lead: said.lead, total, shown: entries.length, table }
}

async function groupBoard(entry: Entry, input: Paging & { slug: string }, words: Words): Promise<Shown> {
  const said = words.recognition.board
  const { group, entries, total } = await invoke(entry, readGroupLeaderboard, () => input)
  const table = total === 0 ? emptyBoard(words) : boardTable(entries, total, words)
  return { title: said.ofGroup(group.name), lead: said.ofGroupLead, total, shown: entries.length, table }
}

async function movers(entry: Entry, input: Paging & { period: string }, words: Words): Promise<Shown> {
  const said = words.recognition.board
  const { movers: found, total, period } = await invoke(entry, readLeaderboardMovers, () => input)
  const table =
    total === 0
      ? emptyState({
          title: said.noMovers,
          text: said.noMoversText,
          to: { href: '/badges', label: said.toBadges },
        })
      : moversTable(found, words)
  return {
    title: said.title,
    lead: said.moversLead[period.label],
    total,
    shown: found.length,
    table,
    endsAt: nowMs() + MOVERS_MS,
  }
}

const emptyBoard = ({ recognition: { board } }: Words): Html =>
  emptyState({ title: board.none, text: board.noneText, to: { href: '/badges', label: board.toBadges } })

function periods(current: string | null, { recognition: { board } }: Words): Html {
  const tab = (period: string | null, label: string) =>
    html`<li><a href="/leaderboard${period && `?period=${period}`}"${period === current && html` aria-current="page"`}>${label}</a></li>`
  return html`<nav aria-label="${board.periods}"><ul class="tabs" role="list">${tab(null, board.all)}${tab('week', board.week)}${tab('month', board.month)}</ul></nav>`
}

/** Ranks are numbers, so pages use offsets. */
function pages(query: URLSearchParams, offset: number, shown: number, total: number, words: Words): Html {
  const { earlier, later } = words.recognition.board
  const link = (rel: string, to: number, label: string) => {
    const other = new URLSearchParams(query)
    if (to === 0) other.delete('offset')
    else other.set('offset', String(to))
    return html`<a class="button plain" rel="${rel}" href="/leaderboard${other.size > 0 && `?${other}`}">${label}</a>`
  }
  const hasMore = offset + shown < total
  if (offset === 0 && !hasMore) return html``
  return html`<nav class="pager" aria-label="${words.frame.pages}">${offset > 0 && link('prev', Math.max(0, offset - PER_PAGE), earlier)}${hasMore && link('next', offset + PER_PAGE, later)}</nav>`
}

/** The person's own global rank. */
export async function boardForPerson(visit: Visit, { query, words }: Asked): Promise<Slots> {
  if (query.get('group') !== null) return {}
  const said = words.recognition.board
  const place = await placeOf(signedIn(visit))
  if (place === undefined) return { own: html`<p class="notice own">${said.notOnBoard}</p>` }
  const { rank, score } = place
  const offset = Math.floor((rank - 1) / PER_PAGE) * PER_PAGE
  return {
    own: html`<p class="notice own"><strong>${said.yourPlace(written(rank, words), pointsIn(score, words))}</strong> <a href="/leaderboard${offset > 0 && `?offset=${offset}`}#place-${rank}">${said.showMe}</a></p>`,
  }
}
