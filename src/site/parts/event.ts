import { now } from '@/core/clock'
import { placeOf } from '@/modules/gatherings/events/pieces'
import type { EventListItem } from '@/modules/gatherings/events/schema'
import { overAt } from '@/modules/gatherings/events/time'
import { coverOf } from '@/modules/gatherings/widgets/cover'
import { type Html, html } from '@/web/html'
import { ownTime } from '@/web/own-time'
import { leafWords, moment, type Times, timesOf, untilWordsChange } from '@/web/when'
import type { Words } from '@/words/words'

/** A calendar leaf. Decorative: the text beside it says the same. */
export function leaf({ startTime, timezone }: Times, words: Words): Html {
  const { month, date } = leafWords(startTime, timezone, words)
  return html`<span class="leaf" aria-hidden="true"><span class="month">${month}</span><span class="date">${date}</span></span>`
}

type Options = {
  level?: 'h2' | 'h3' | 'h4'
  /** Omitted if all are of one group. */
  hasGroup?: boolean
  /** An action or status at the end of a row. */
  end?: Html | false | null
}

export function eventRow(event: EventListItem, words: Words, options: Options = {}): Html {
  const times = timesOf(event)
  return html`<li>${leaf(times, words)}
<div class="what">${titleOf(event, options)}
${factsOf(event, times, words, options)}</div>
${options.end && html`<div class="end">${options.end}</div>`}</li>
`
}

export function eventTile(event: EventListItem, words: Words, options: Options = {}): Html {
  const times = timesOf(event)
  return html`<li><article class="tile">${coverOf(event.id, event.photoUrl, '(min-width: 40em) 20rem, 100vw')}
<div class="about">${leaf(times, words)}
<div>${titleOf(event, options)}
${factsOf(event, times, words, options)}</div>
</div></article></li>
`
}

const HEADINGS = {
  h2: (inner: Html) => html`<h2 dir="auto">${inner}</h2>`,
  h3: (inner: Html) => html`<h3 dir="auto">${inner}</h3>`,
  h4: (inner: Html) => html`<h4 dir="auto">${inner}</h4>`,
}

const titleOf = ({ id, title }: EventListItem, { level = 'h3' }: Options): Html =>
  HEADINGS[level](html`<a href="/events/${id}">${title}</a>`)

function factsOf(event: EventListItem, times: Times, words: Words, { hasGroup = true }: Options): Html {
  const place = placeIn(event, words)
  const { group } = event
  return html`<p>${moment(times.startTime, times.timezone, words)} ${stateMark(event, words)}</p>${ownTime(event, words)}
<p class="quiet small">${[
    place && html`<bdi>${place}</bdi>`,
    hasGroup && group && html`<bdi>${group.name}</bdi>`,
  ]
    .filter(Boolean)
    .map((piece, i) => html`${i > 0 && ' · '}${piece as Html}`)}</p>`
}

type Placed = Pick<EventListItem, 'eventType' | 'venue'>

export const placeIn = ({ eventType, venue }: Placed, words: Words): string | null =>
  placeOf({ eventType, venueName: venue?.name ?? null, venueCity: venue?.city ?? null }, words)

type EventStatus = Pick<
  EventListItem,
  'dateTime' | 'endTime' | 'timezone' | 'status' | 'maxAttendees' | 'localRsvpCount'
>

/** Free seats; null if unlimited. */
export const seatsLeft = ({ maxAttendees, localRsvpCount }: EventStatus): number | null =>
  maxAttendees === null ? null : Math.max(0, maxAttendees - localRsvpCount)

export const isOverBy = (times: Times, at: Date): boolean => overOf(times) <= at

const overOf = ({ startTime, endTime }: Times) => overAt(startTime, endTime)

/** Marked as almost full. */
const FEW = 10

/** A label for the event's status, if worth showing. */
export function stateMark(event: EventStatus, { events }: Words): Html | null {
  const [times, at, left] = [timesOf(event), now(), seatsLeft(event)]
  const mark = (kind: string, text: string) => html`<span class="mark${kind}">${text}</span>`
  if (event.status === 'cancelled') return mark(' alarm', events.cancelled)
  if (event.status === 'draft') return mark(' quiet', events.draft)
  if (isOverBy(times, at)) return mark(' quiet', events.over)
  if (times.startTime <= at) return mark('', events.now)
  if (left === 0) return mark(' quiet', events.full)
  return left !== null && left <= FEW ? mark('', events.seatsLeft(left)) : null
}

/** When the clock makes a page with these events stale: for `endsAt`. */
export const eventsEndAt = (
  events: readonly Pick<EventListItem, 'dateTime' | 'endTime' | 'timezone'>[],
): number => untilWordsChange(events.map(timesOf), overOf)
