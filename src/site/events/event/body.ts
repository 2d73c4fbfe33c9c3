import { config } from '@/config/config'
import { coverOf } from '@/modules/gatherings/widgets/cover'
import { leaf, placeIn } from '@/site/parts/event'
import { face } from '@/site/parts/person'
import { type Html, html } from '@/web/html'
import { membersMarkdown } from '@/web/markdown'
import { ownTime } from '@/web/own-time'
import { webAddress } from '@/web/prose'
import { longWhen } from '@/web/when'
import type { Words } from '@/words/words'
import { calendarLinks } from './calendar-links'
import { SEAT } from './seat'
import type { EventView } from './view'

/** Personal slots; visitors get these defaults. */
export type Own = { seat: Html; organizer: Html; online: Html }

/** Longer titles would fill a phone in large type. */
const LONG = 80

export function eventBody(view: EventView, own: Own, words: Words): Html {
  const { event, phase } = view
  const { group } = event
  return html`<article class="event">
<div class="event-cover">${coverOf(event.id, event.photoUrl, '(min-width: 72rem) 68rem, 100vw')}</div>
<header>
${group && html`<p class="above"><a href="/groups/${group.urlname}"><bdi>${group.name}</bdi></a></p>`}
<h1${event.title.length > LONG && html` class="long"`} dir="auto">${event.title}</h1>
${own.organizer}
<ul class="rows facts" role="list">
${whenRow(view, words)}${whereRow(view, own, words)}</ul>
</header>
<aside class="card" id="${SEAT}" aria-label="${words.events.seat.title}">
${PHASES[phase](view, words)}
${own.seat}
${isDone(phase) && onward(event, words)}
${phase !== 'cancelled' && phase !== 'draft' && more(view, words)}
</aside>
<div>
${
  event.description &&
  html`<section class="prose" aria-labelledby="about"><h2 class="first" id="about">${words.events.about}</h2>
<div dir="auto">${membersMarkdown(event.description)}</div></section>`
}
${phase !== 'draft' && who(view, words)}
${
  event.tags.length > 0 &&
  html`<section><h2>${words.events.tags}</h2><ul class="chips" role="list">${event.tags.map(
    (tag) =>
      html`<li><a class="chip" href="/events?${new URLSearchParams({ tag }).toString()}" dir="auto">${tag}</a></li>`,
  )}</ul></section>`
}
${group && hosts(group, words)}
</div>
</article>`
}

function whenRow({ event, times }: EventView, words: Words): Html {
  const { day, clock } = longWhen(times, words)
  return html`<li>${leaf(times, words)}<div class="what"><h2 class="hidden">${words.events.when}</h2><p class="name">${day}</p>
<p class="quiet">${clock}</p>
${ownTime(event, words)}</div></li>
`
}

const PIN = html`<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round"><path d="M12 21s7-6.2 7-11a7 7 0 0 0-14 0c0 4.8 7 11 7 11Z"/><circle cx="12" cy="10" r="2.5"/></svg>`
const SCREEN = html`<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><rect x="3" y="5" width="18" height="12" rx="2"/><path d="M8 21h8"/></svg>`

function whereRow({ event, phase }: EventView, own: Own, words: Words): Html {
  const { venue, eventType } = event
  const isOnline = eventType === 'online' || eventType === 'hybrid'
  const name =
    eventType === 'online'
      ? words.events.online
      : (venue?.name ?? placeIn(event, words) ?? words.events.place)
  const address = venue && eventType !== 'online' && addressOf(venue)
  const map = venue && eventType !== 'online' && mapOf(venue)
  return html`<li><span class="sign">${eventType === 'online' ? SCREEN : PIN}</span><div class="what"><h2 class="hidden">${words.events.where}</h2><p class="name"><bdi>${name}</bdi></p>
${address && html`<p class="quiet"><bdi>${address}</bdi></p>`}
${map && html`<p><a href="${map}" rel="noopener noreferrer">${words.events.onMap}</a></p>`}
${isOnline && phase !== 'cancelled' && phase !== 'over' && html`${eventType === 'hybrid' && html`<p class="quiet">${words.events.inPersonAndOnline}</p>`}${own.online}`}</div></li>
`
}

type Venue = NonNullable<EventView['event']['venue']>

const addressOf = ({ address, city, state }: Venue) => [address, city, state].filter(Boolean).join(', ')

/** A plain link: no map is loaded. */
function mapOf(venue: Venue): string | null {
  const { latitude, longitude } = venue
  if (latitude !== null && longitude !== null)
    return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`
  if (!venue.address && !venue.city) return null
  const query = [venue.name, addressOf(venue)].filter(Boolean).join(', ')
  return `https://www.openstreetmap.org/search?${new URLSearchParams({ query })}`
}

const PHASES: Record<EventView['phase'], (view: EventView, words: Words) => Html> = {
  draft: (_, { events }) =>
    html`<p class="notice"><strong>${events.isDraft}.</strong> ${events.draftText}</p>`,
  cancelled: ({ event }, { events }) =>
    html`<p class="notice alarm"><strong>${events.isCancelled}.</strong></p>${
      event.cancelReason && html`<p dir="auto">${event.cancelReason}</p>`
    }`,
  over: (_, { events }) => html`<p class="seats"><strong>${events.isOver}</strong></p>`,
  full: ({ waiting }, { events }) =>
    html`<p class="seats"><strong>${events.full}</strong>${waiting > 0 && html` <span class="quiet">${events.waiting(waiting)}</span>`}</p>`,
  open: ({ event, left }, { events }) =>
    left === null
      ? html`${(event.rsvpCount ?? 0) > 0 && html`<p class="seats"><strong>${events.going(event.rsvpCount ?? 0)}</strong></p>`}`
      : html`<p class="seats"><strong>${events.seatsLeft(left)}</strong> <span class="quiet">${events.seatsOf(event.maxAttendees ?? 0)}</span></p>
<meter min="0" max="${event.maxAttendees ?? 0}" value="${event.localRsvpCount}" aria-label="${events.seats}">${event.localRsvpCount}</meter>`,
}

const isDone = (phase: EventView['phase']) => phase === 'over' || phase === 'cancelled'

/** The next step after the event is over. */
const onward = ({ group }: EventView['event'], { events }: Words): Html =>
  html`<a class="button plain wide" href="${group ? `/groups/${group.urlname}` : '/events'}">${events.overNext}</a>`

function more(view: EventView, words: Words): Html {
  const { event, phase } = view
  const { events } = words
  const url = `${config.baseUrl}/events/${event.id}`
  return html`<div class="also">${
    phase !== 'over' &&
    html`<details><summary>${events.addToCalendar}</summary><ul role="list">${calendarLinks(view, words).map(
      ({ href, label }) => html`<li><a href="${href}" rel="nofollow noopener noreferrer">${label}</a></li>`,
    )}</ul></details>`
  }
<details><summary>${events.share}</summary>
<p class="small quiet">${events.address}</p>
<p><code id="address">${url}</code></p>
<p class="buttons"><button class="button plain small" type="button" data-copy="address" data-done="${events.copied}" hidden>${events.copy}</button>
<button class="button plain small" type="button" data-share="${event.title}" data-url="${url}" hidden>${events.shareWith}</button></p>
</details></div>`
}

function who({ event, guests, phase }: EventView, words: Words): Html {
  const { events } = words
  const count = event.rsvpCount ?? event.localRsvpCount
  const title = isDone(phase) ? events.whoCame : events.whoComes
  if (count === 0)
    return html`${phase === 'open' && html`<section><h2>${title}</h2><p class="quiet">${events.nobodyYet}</p></section>`}`
  const others = count - guests.length
  return html`<section aria-labelledby="who"><h2 id="who">${title} <span class="quiet number">${count}</span></h2>
${
  guests.length === 0
    ? html`<p class="quiet">${events.unnamed(count)}</p>`
    : html`<ul class="faces" role="list">${guests.map(
        (guest) =>
          html`<li><a href="/u/${guest.username}" title="${guest.name}">${face(guest)}<span class="hidden" dir="auto">${guest.name}</span></a></li>`,
      )}${others > 0 && html`<li class="others">${events.others(others)}</li>`}</ul>`
}</section>`
}

type Group = NonNullable<EventView['event']['group']>

const hosts = ({ id, name, urlname, photoUrl }: Group, { events }: Words): Html =>
  html`<section><h2>${events.hostedBy}</h2>
<ul class="rows" role="list"><li>${face({ id, name, avatarUrl: photoUrl })}<div class="what"><p class="name"><a href="/groups/${urlname}"><bdi>${name}</bdi></a></p></div></li></ul></section>`

/** For people with a seat, and staff. */
export function joinLink(onlineUrl: string | null, { events }: Words): Html {
  const href = webAddress(onlineUrl)
  return href === null
    ? html`<p class="quiet small">${events.onlineLater}</p>`
    : html`<p><a class="button small" href="${href}" rel="noopener noreferrer">${events.join}</a></p>`
}
