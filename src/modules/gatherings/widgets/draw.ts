import type { EventRow, EventWithGroup } from '@/modules/gatherings/events/queries'
import { type Html, html } from '@/web/html'
import { addressesOf, type GroupName } from './addresses'
import { coverOf } from './cover'
import { framed } from './document/document'
import { excerptOf, factsOf, footOf, leafOf, link, titleOf } from './pieces'
import { pathOfWidget, type Theme, type Widget } from './request'

/** Null groups means the whole community. */
export type Shown = { groups: readonly GroupName[] | null; theme: Theme }

/** `next` in its selection, or the status of an event requested by id. */
export type EventState = 'next' | 'upcoming' | 'over' | 'cancelled'

/** The URL of an event requested by id has no groups. */
const pathOf = (widget: Widget, { groups, theme }: Shown, eventId: string | null = null) =>
  pathOfWidget({
    widget,
    theme,
    groups: eventId === null ? (groups?.map(({ urlname }) => urlname.toLowerCase()) ?? null) : null,
    eventId,
  })

export function drawNextEvent(
  shown: Shown,
  found: EventWithGroup | null,
  state: EventState = 'next',
): string {
  if (found === null) return drawEmpty('next-event', shown)
  const { groups, theme } = shown
  const addresses = addressesOf(groups)
  const { event } = found
  const body = html`<main class="one card">
<div class="body">
${coverOf(event.id, event.photoUrl, '(min-width: 34rem) 40vw, 100vw')}
<div class="about">
<h1 class="head">${HEADINGS[state]}</h1>
${leafOf(event)}
${titleOf(event)}
${factsOf(found, 'long', stateOf(state, event))}
${state !== 'cancelled' && excerptOf(event)}
</div>
</div>
${footOf(addresses)}
</main>`
  return framed({
    title: event.title,
    path: pathOf('next-event', shown, state === 'next' ? null : event.id),
    theme,
    feeds: addresses.feeds,
    body,
  })
}

const HEADINGS: Record<EventState, string> = {
  next: 'Next event',
  // May be in progress, or follow others.
  upcoming: 'Event',
  over: 'Past event',
  cancelled: 'Cancelled event',
}

function stateOf(state: EventState, { cancelReason }: EventRow): Html | undefined {
  if (state === 'over') return html`<p class="state">This event is over</p>\n`
  if (state !== 'cancelled') return undefined
  const reason = cancelReason && html`<p class="reason" dir="auto">${cancelReason}</p>\n`
  return html`<p class="state cancelled">This event was cancelled</p>\n${reason}`
}

export function drawCarousel(shown: Shown, found: readonly EventWithGroup[]): string {
  if (found.length === 0) return drawEmpty('carousel', shown)
  const { groups, theme } = shown
  const addresses = addressesOf(groups)
  const title = groups?.length === 1 ? `Upcoming events of ${groups[0]?.name}` : 'Upcoming events'
  const body = html`<main class="many">
<div class="top"><h1 id="title" dir="auto">${title}</h1>${turn(-1, 'Earlier events', 'm15 5-7 7 7 7')}${turn(1, 'Later events', 'm9 5 7 7-7 7')}</div>
<section class="track" aria-labelledby="title" tabindex="0">
<ul role="list">
${found.map(cardOf)}<li class="more"><div class="card"><h2>${link(addresses.page, 'All events')}</h2></div></li>
</ul>
</section>
${footOf(addresses)}
</main>`
  return framed({ title, path: pathOf('carousel', shown), theme, feeds: addresses.feeds, body })
}

const cardOf = (found: EventWithGroup): Html => html`<li><article class="card">
${coverOf(found.event.id, found.event.photoUrl, '17rem')}
<div class="about">
${leafOf(found.event)}
${titleOf(found.event)}
${factsOf(found, 'short')}
</div>
</article></li>
`

/** Hidden until the script finds something to scroll to. */
const turn = (by: -1 | 1, label: string, path: string): Html =>
  html`<button class="turn" type="button" data-turn="${by}" aria-label="${label}" hidden><svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></svg></button>`

const EMPTY_LEAF = html`<svg viewBox="0 0 48 48" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round"><rect x="6" y="9" width="36" height="33" rx="6"/><path d="M6 18h36M16 5v8M32 5v8"/><circle cx="24" cy="30" r="3.5"/><path d="M24 22.5v1.5M24 36v1.5M16.5 30H18M30 30h1.5"/></svg>`

function drawEmpty(widget: Widget, shown: Shown): string {
  const name = shown.groups?.length === 1 ? shown.groups[0]?.name : undefined
  const text = 'Subscribe to the calendar, and the next one finds its way to you.'
  return message(shown, pathOf(widget, shown), 'No events planned yet', text, name)
}

/** For missing and hidden events alike. */
export const drawMissing = (theme: Theme): string =>
  message(
    { groups: null, theme },
    null,
    'This event is not here',
    'It may have moved, or it is not public any more.',
  )

function message(
  { groups, theme }: Shown,
  path: string | null,
  title: string,
  text: string,
  name?: string,
): string {
  const addresses = addressesOf(groups)
  const body = html`<main class="none card">
<div class="body">${EMPTY_LEAF}
<h1>${title}</h1>
${name && html`<p dir="auto">${name}</p>\n`}<p>${text}</p>
</div>
${footOf(addresses)}
</main>`
  return framed({ title, path, theme, feeds: addresses.feeds, body })
}
