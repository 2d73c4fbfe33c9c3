import { DAY_MS, now } from '@/core/clock'
import { type Entry, invoke } from '@/http/invoke'
import { listEvents } from '@/modules/gatherings/events/list/actions'
import type { EventFilters, EventListItem } from '@/modules/gatherings/events/schema'
import { type Html, html } from '@/web/html'
import { clockWords, localDay, timesOf } from '@/web/when'
import { LOCALES } from '@/words/language'
import type { Words } from '@/words/words'
import { listPath } from './asked'
import { byDay } from './days'

const firstOf = (month: string) => new Date(`${month}-01T00:00:00Z`)

function monthFrom(month: string, by: number): string {
  const at = firstOf(month)
  at.setUTCMonth(at.getUTCMonth() + by)
  return at.toISOString().slice(0, 7)
}

/** A time span that covers a month in every zone. */
export const spanOfMonth = (month: string): { from: string; to: string } => ({
  from: new Date(firstOf(month).getTime() - DAY_MS).toISOString(),
  to: new Date(firstOf(monthFrom(month, 1)).getTime() + DAY_MS).toISOString(),
})

const EVENTS_MAX = 300

/** The events of a month, by their local dates. */
export async function eventsOfMonth(
  entry: Entry,
  filters: EventFilters,
  month: string,
): Promise<{ events: EventListItem[]; isWhole: boolean }> {
  const found: EventListItem[] = []
  let cursor: string | undefined
  do {
    const input = { ...filters, status: 'all' as const, ...spanOfMonth(month), limit: 100, offset: 0, cursor }
    const { data, pagination } = await invoke(entry, listEvents, () => input)
    found.push(...data)
    cursor = pagination.nextCursor
  } while (cursor !== undefined && found.length < EVENTS_MAX)
  const events = found.filter((event) => localDay(new Date(event.dateTime), event.timezone).startsWith(month))
  return { events, isWhole: cursor === undefined }
}

export const monthName = (month: string, { language }: Words): string =>
  new Intl.DateTimeFormat(LOCALES[language], { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    firstOf(month),
  )

const WEEK = 7

/** The weeks of a month, from Monday; null for days of other months. */
function weeksOf(month: string): (string | null)[][] {
  const first = firstOf(month)
  const before = (first.getUTCDay() + WEEK - 1) % WEEK
  const length = Math.round((firstOf(monthFrom(month, 1)).getTime() - first.getTime()) / DAY_MS)
  const weeks = Math.ceil((before + length) / WEEK)
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: WEEK }, (_, weekday) => {
      const date = week * WEEK + weekday - before + 1
      return date < 1 || date > length ? null : `${month}-${String(date).padStart(2, '0')}`
    }),
  )
}

const MONDAY = Date.UTC(2024, 0, 1)

const SHOWN = 3

/** The calendar of a month. On a phone its days link to the list below. */
export function monthTable(
  month: string,
  events: readonly EventListItem[],
  query: URLSearchParams,
  words: Words,
): Html {
  const { list } = words.events
  const name = monthName(month, words)
  const ofDay = new Map(byDay(events))
  const today = localDay(now(), 'UTC')
  const format = (weekday: 'long' | 'short') =>
    new Intl.DateTimeFormat(LOCALES[words.language], { weekday, timeZone: 'UTC' })
  const [long, short] = [format('long'), format('short')]
  const step = (by: number, rel: string, label: string, sign: string) =>
    html`<a class="button plain small" rel="${rel}" href="${listPath(query, { month: monthFrom(month, by) })}" aria-label="${label}">${sign}</a>`
  return html`<nav class="steps" aria-label="${list.month}">${step(-1, 'prev', list.previousMonth, '‹')}
<h2 id="month">${name}</h2>
${step(1, 'next', list.nextMonth, '›')}
${month !== today.slice(0, 7) && html`<a class="button plain small" href="${listPath(query, { month: today.slice(0, 7) })}">${list.thisMonth}</a>`}</nav>
<table class="calendar" aria-labelledby="month"><thead><tr>${Array.from({ length: WEEK }, (_, i) => {
    const at = MONDAY + i * DAY_MS
    return html`<th scope="col"><abbr title="${long.format(at)}">${short.format(at)}</abbr></th>`
  })}</tr></thead>
<tbody>${weeksOf(month).map(
    (week) =>
      html`<tr>${week.map((day) => (day === null ? html`<td class="other"></td>` : cell(day, ofDay.get(day) ?? [], today, words)))}</tr>\n`,
  )}</tbody></table>`
}

function cell(day: string, events: readonly EventListItem[], today: string, words: Words): Html {
  const { list } = words.events
  const number = Number(day.slice(8))
  const time = html`<time datetime="${day}">${number}</time>`
  const mark = day === today && html` aria-current="date"`
  if (events.length === 0) return html`<td${mark}><span class="number">${time}</span></td>`
  return html`<td class="has"${mark}><a class="number" href="#day-${day}">${time}<span class="hidden">, ${list.eventsOn(events.length)}</span></a>
<ul role="list">${events.slice(0, SHOWN).map((event) => {
    const { startTime, timezone } = timesOf(event)
    return html`<li><a href="/events/${event.id}"><span class="small quiet">${clockWords(startTime, timezone, words)}</span> <bdi>${event.title}</bdi></a></li>`
  })}${events.length > SHOWN && html`<li><a href="#day-${day}">${list.more(events.length - SHOWN)}</a></li>`}</ul></td>`
}
