import { now } from '@/core/clock'
import { iso } from '@/core/shapes'
import type { EventListItem } from '@/modules/gatherings/events/schema'
import { coverOf } from '@/modules/gatherings/widgets/cover'
import { isOverBy, leaf, placeIn, stateMark } from '@/site/parts/event'
import { type Html, html } from '@/web/html'
import { ownTime } from '@/web/own-time'
import { clockWords, dayWords, fullDay, localDay, timesOf, zoneWords } from '@/web/when'
import type { Words } from '@/words/words'

/** Groups events by their local start day, in order. */
export const byDay = (events: readonly EventListItem[]): [day: string, events: EventListItem[]][] => [
  ...Map.groupBy(events, (event) => localDay(timesOf(event).startTime, event.timezone)),
]

export const days = (events: readonly EventListItem[], words: Words): Html[] =>
  byDay(events).map(([day, ofDay]) => {
    const times = timesOf(ofDay[0] as EventListItem)
    const named = dayWords(times.startTime, times.timezone, words, { length: 'long' })
    const isNear = Object.values(words.when.near).includes(named)
    return html`<section class="day" id="day-${day}" aria-labelledby="named-${day}">
<h2 id="named-${day}">${leaf(times, words)}<span>${named}${isNear && html` <span class="quiet">${fullDay(times.startTime, times.timezone, words)}</span>`}</span></h2>
<ul role="list">${ofDay.map((event) => eventCard(event, words))}</ul>
</section>`
  })

function eventCard(event: EventListItem, words: Words): Html {
  const times = timesOf(event)
  const { startTime, timezone } = times
  const { going, went } = words.events
  const isDone = event.status === 'cancelled' || isOverBy(times, now())
  const place = placeIn(event, words)
  return html`<li><article class="tile">
<div class="about">
<p class="time"><time datetime="${iso(startTime)}">${clockWords(startTime, timezone, words)}${words.when.hours}</time> <span class="quiet small">${zoneWords(startTime, timezone, words)}</span> ${stateMark(event, words)}</p>${ownTime(event, words)}
<h3 dir="auto"><a href="/events/${event.id}">${event.title}</a></h3>
${event.group && html`<p class="quiet">${words.events.by} <bdi>${event.group.name}</bdi></p>`}
${place && html`<p class="quiet" dir="auto">${place}</p>`}
${(event.rsvpCount ?? 0) > 0 && html`<p class="quiet small">${(isDone ? went : going)(event.rsvpCount ?? 0)}</p>`}
</div>
${coverOf(event.id, event.photoUrl, '10rem')}</article></li>
`
}
