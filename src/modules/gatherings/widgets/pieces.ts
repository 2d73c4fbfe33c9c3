import { config } from '@/config/config'
import { iso } from '@/core/shapes'
import { placeOf, spanOf } from '@/modules/gatherings/events/pieces'
import type { EventRow, EventWithGroup } from '@/modules/gatherings/events/queries'
import { subscribing } from '@/modules/gatherings/feeds/address'
import { type Html, html } from '@/web/html'
import { MARK } from '@/web/layout'
import { excerpt } from '@/web/prose'
import { whenOf } from '@/web/when'
import { wordsIn } from '@/words/words'
import type { Addresses } from './addresses'

/** A widget is cached for all readers, so it has one language. */
const WORDS = wordsIn('en')

/** Opens outside the frame. */
export const link = (href: string, label: Html | string): Html =>
  html`<a href="${href}" target="_blank" rel="noopener">${label}</a>`

export const titleOf = ({ id, title }: EventRow): Html =>
  html`<h2 dir="auto">${link(`${config.baseUrl}/events/${id}`, title)}</h2>`

export function leafOf(event: EventRow): Html {
  const { month, date } = whenOf(event, 'short', WORDS)
  return html`<div class="leaf" aria-hidden="true"><b>${month}</b><span>${date}</span></div>`
}

export function factsOf({ event, group }: EventWithGroup, length: 'short' | 'long', state?: Html): Html {
  const when = whenOf(event, length, WORDS)
  const place = placeOf(event, WORDS)
  return html`<div class="facts">
${state}<p class="when">${spanOf(event, when)}</p>
<p class="zone">${when.zone}</p>
<p class="yours" data-at="${iso(event.startTime)}" data-zone="${when.timezone}" hidden></p>
${place && html`<p class="where" dir="auto">${place}</p>\n`}<p class="group" dir="auto">${group.name}</p>
</div>`
}

const EXCERPT_MAX = 240

export function excerptOf({ description }: EventRow): Html | null {
  const text = excerpt(description, EXCERPT_MAX)
  return text === '' ? null : html`<p class="excerpt" dir="auto">${text}</p>`
}

/** All links open outside the frame: a page whose CSP restricts frames would show an error instead. */
export const footOf = ({ page, feeds }: Addresses): Html =>
  html`<footer class="foot"><a class="brand" href="${config.baseUrl}/" target="_blank" rel="noopener">${MARK}<span dir="auto">${config.siteName}</span></a>${link(page, 'All events')}${link(subscribing(feeds.ics), 'Calendar')}</footer>`
