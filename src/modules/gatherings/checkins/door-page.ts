import type { Caller } from '@/core/caller'
import { iso } from '@/core/shapes'
import { placeOf, spanOf } from '@/modules/gatherings/events/pieces'
import type { EventRow } from '@/modules/gatherings/events/queries'
import { formToken } from '@/web/form-token'
import { type Html, html, type Piece } from '@/web/html'
import type { Page } from '@/web/layout'
import { loginPath } from '@/web/login'
import { momentOf, type Times, whenOf } from '@/web/when'
import type { Words } from '@/words/words'
import { type DoorState, opensAt } from './availability'

type Door = Times & {
  title: string
  eventType: string | null
  groupName: string | null
  /** The full event, if the reader may see it. */
  known: EventRow | null
  state: DoorState
  checkedInAt: Date | null
  at: Date
  /** Null for visitors who are not signed in. */
  person: Caller | null
  address: string
  words: Words
  method: 'link' | 'qr'
}

export const doorPage = (door: Door): Page => ({
  title: door.state === 'in' ? door.words.door.in : door.words.door.title(door.title),
  body: html`<div class="card">
${door.state === 'in' && welcome(door)}
${door.groupName && html`<p class="above"><bdi>${door.groupName}</bdi></p>`}
${door.state === 'in' ? html`<h2 class="first" dir="auto">${door.title}</h2>` : html`<h1 dir="auto">${door.title}</h1>`}
${facts(door)}
${NEXT[door.state](door)}
</div>`,
})

const CHECK = html`<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"><path d="m5 12.5 4.5 4.5L19 7.5"/></svg>`

/** Large enough to show at the entrance. */
const welcome = (door: Door): Html => html`<div class="welcome" role="status">
${CHECK}
<h1>${door.words.door.in}</h1>
${door.checkedInAt && html`<p>${door.words.door.since(moment(door.checkedInAt, door))}</p>`}
</div>`

function facts(door: Door): Html {
  const when = whenOf(door, 'long', door.words)
  const { venueName, venueCity } = door.known ?? { venueName: null, venueCity: null }
  const place = placeOf({ eventType: door.eventType, venueName, venueCity }, door.words)
  return html`<dl>
<dt>${door.words.door.when}</dt><dd>${spanOf(door, when)}<br><span class="quiet small">${when.zone}</span></dd>
${place && html`<dt>${door.words.door.where}</dt><dd><bdi>${place}</bdi></dd>`}
</dl>`
}

const moment = (at: Date, { timezone, at: seenAt, words }: Door): Html =>
  html`<time datetime="${iso(at)}">${momentOf(at, timezone, seenAt, words)}</time>`

const notice = (text: Piece, then?: string): Html =>
  html`<p class="notice"><strong>${text}.</strong>${then && ` ${then}.`}</p>`

const NEXT: Record<DoorState, (door: Door) => Html | null> = {
  open: (door) => (door.person === null ? signIn(door) : button(door, door.person)),
  in: () => null,
  early: (door) => notice(door.words.door.opens(moment(opensAt(door), door)), door.words.door.sameCode),
  closed: ({ words: { door } }) => notice(door.closed, door.closedThen),
  cancelled: ({ known, words }) => html`${notice(words.door.cancelled)}
${known?.cancelReason && html`<p dir="auto">${known.cancelReason}</p>`}`,
  expired: ({ words: { door } }) => notice(door.expired, door.ask),
  'used-up': ({ words: { door } }) => notice(door.usedUp, door.ask),
}

const signIn = ({ address, words }: Door): Html =>
  html`<a class="button wide" href="${loginPath(address)}">${words.door.signIn}</a>`

const button = (
  { address, method, words }: Door,
  person: Caller,
): Html => html`<form method="post" action="${address}">
${formToken(person)}
<input type="hidden" name="method" value="${method}">
<button class="button wide">${words.door.button}</button>
</form>`
