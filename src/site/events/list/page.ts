import { now, nowMs } from '@/core/clock'
import { type Entry, invoke } from '@/http/invoke'
import { listGroups } from '@/modules/community/groups/actions'
import { listEvents } from '@/modules/gatherings/events/list/actions'
import type { EventFilters, EventListItem } from '@/modules/gatherings/events/schema'
import { addressesOf, subscribing } from '@/modules/gatherings/feeds/address'
import { eventsEndAt } from '@/site/parts/event'
import { emptyState, pager, pagerLinks } from '@/site/parts/list'
import { feedLinks } from '@/site/parts/sharing'
import { type Html, html } from '@/web/html'
import type { Asked, OpenPage } from '@/web/open-page'
import { untilWordsChange } from '@/web/when'
import type { Words } from '@/words/words'
import { bounded, isFiltered, type ListAsked, listPath, readAsked } from './asked'
import { days } from './days'
import { filterChips, filterForm } from './filters'
import { eventsOfMonth, monthName, monthTable, spanOfMonth } from './month'

/** Domain events that may change any list. */
const CHANGES = [
  'event.published',
  'event.updated',
  'event.cancelled',
  'group.created',
  'group.updated',
  'group.deleted',
]

/** Maximum staleness of the list of past events. */
const PAST_LOOK_MS = 60_000

const PER_PAGE = 20

/** All events: by day, by month, or past. */
export async function showEvents(entry: Entry, { query: given, words }: Asked): Promise<OpenPage> {
  const query = bounded(given)
  const asked = readAsked(query)
  const { data: groups } = await invoke(entry, listGroups, () => ({ limit: 100, offset: 0, sort: 'name' }))
  const shown =
    asked.month === null
      ? await listOf(entry, asked, query, words)
      : await monthOf(entry, asked, asked.month, query, words)
  const { list } = words.events
  const feeds = addressesOf({ kind: 'events', filters: shown.filters })
  return {
    title: shown.title,
    width: 'wide',
    section: 'events',
    islands: ['own-time'],
    description: list.lead,
    canonical: query.size === 0 ? '/events' : undefined,
    head: [...feedLinks(feeds, shown.title), ...(shown.head ?? [])],
    about: [...CHANGES, ...shown.events.flatMap(({ id, group }) => (group ? [id, group.id] : [id]))],
    endsAt: shown.endsAt,
    body: html`<div class="head"><h1>${shown.title}</h1></div>
<ul class="tabs" role="list">${tabs(asked, query, words)}</ul>
${filterForm(query, groups, words)}
${filterChips(query, groups, words)}
<div class="columns">
<div>${shown.body}</div>
<aside class="card" aria-labelledby="subscribe"><h2 class="first" id="subscribe">${list.subscribe}</h2>
<p class="quiet small">${list.subscribeText}</p>
<p><a class="button plain wide" href="${subscribing(feeds.ics)}">${list.calendar}</a></p>
<p class="small"><a href="${feeds.ics}">iCal</a> · <a href="${feeds.rss}">RSS</a> · <a href="${feeds.atom}">Atom</a> · <a href="${feeds.json}">JSON</a></p></aside>
</div>`,
  }
}

type Shown = {
  title: string
  filters: EventFilters
  events: EventListItem[]
  endsAt: number
  body: Html
  head?: Html[]
}

function tabs({ isPast, month }: ListAsked, query: URLSearchParams, { events: { list } }: Words): Html[] {
  const tab = (isHere: boolean, path: string, label: string) =>
    html`<li><a href="${path}"${isHere && html` aria-current="page"`}>${label}</a></li>`
  return [
    tab(!isPast && month === null, listPath(query, { status: null, month: null }), list.upcoming),
    tab(
      month !== null,
      listPath(query, {
        status: null,
        from: null,
        to: null,
        month: month ?? now().toISOString().slice(0, 7),
      }),
      list.month,
    ),
    tab(isPast && month === null, listPath(query, { status: 'past', month: null }), list.pastTab),
  ]
}

async function listOf(entry: Entry, asked: ListAsked, query: URLSearchParams, words: Words): Promise<Shown> {
  const { filters, isPast, page } = asked
  const { list } = words.events
  const { data, pagination } = await invoke(entry, listEvents, () => ({
    ...filters,
    ...page,
    limit: PER_PAGE,
    offset: 0,
  }))
  return {
    title: isPast ? list.past : list.title,
    filters,
    events: data,
    endsAt: Math.min(eventsEndAt(data), isPast ? nowMs() + PAST_LOOK_MS : Number.POSITIVE_INFINITY),
    head: pagerLinks(pagination, query),
    body:
      data.length === 0
        ? nothing(asked, query, words)
        : html`${days(data, words)}${pager(pagination, query, words)}`,
  }
}

function nothing({ isPast }: ListAsked, query: URLSearchParams, { events: { list } }: Words): Html {
  if (isFiltered(query))
    return emptyState({
      title: list.noneFound,
      text: list.noneFoundText,
      to: { href: isPast ? '/events?status=past' : '/events', label: list.clear },
    })
  if (isPast) return emptyState({ title: list.nonePast, to: { href: '/events', label: list.upcoming } })
  return emptyState({
    title: list.none,
    text: list.noneText,
    to: { href: '/events?status=past', label: list.seePast },
  })
}

async function monthOf(
  entry: Entry,
  { filters: { status: _, from: __, to: ___, ...filters } }: ListAsked,
  month: string,
  query: URLSearchParams,
  words: Words,
): Promise<Shown> {
  const { list } = words.events
  const { events, isWhole } = await eventsOfMonth(entry, filters, month)
  return {
    title: list.monthOf(monthName(month, words)),
    filters: { ...filters, status: 'all', ...spanOfMonth(month) },
    events,
    endsAt: Math.min(
      eventsEndAt(events),
      untilWordsChange([{ startTime: now(), endTime: null, timezone: 'UTC' }]),
    ),
    body: html`${monthTable(month, events, query, words)}
${!isWhole && html`<p class="notice">${list.tooMany}</p>`}
<div class="agenda">${events.length === 0 ? html`<p class="quiet">${list.noneInMonth}</p>` : days(events, words)}</div>`,
  }
}
