import type { Caller } from '@/core/caller'
import { iso } from '@/core/shapes'
import { placeOf, spanOf } from '@/modules/gatherings/events/pieces'
import type { EventRow } from '@/modules/gatherings/events/queries'
import { formToken } from '@/web/form-token'
import { type Html, html } from '@/web/html'
import type { Page } from '@/web/layout'
import { loginPath } from '@/web/login'
import { momentOf, type Times, whenOf } from '@/web/when'
import { wordsIn } from '@/words/words'
import { type DoorState, opensAt } from './availability'

const WORDS = wordsIn('en')

type Door = Times & {
  title: string
  eventType: string | null
  groupName: string | null
  /** The whole event, for those who may see it. */
  known: EventRow | null
  state: DoorState
  checkedInAt: Date | null
  at: Date
  /** Null is a stranger. */
  person: Caller | null
  /** Of this very page. */
  address: string
  method: 'link' | 'qr'
}

/** "You are in", or the one next step. */
export const doorPage = (door: Door): Page => ({
  title: door.state === 'in' ? 'You are in' : `Check in: ${door.title}`,
  body: html`<div class="card">
${door.state === 'in' && welcome(door)}
${door.groupName && html`<p class="above"><bdi>${door.groupName}</bdi></p>`}
${door.state === 'in' ? html`<h2 class="first" dir="auto">${door.title}</h2>` : html`<h1 dir="auto">${door.title}</h1>`}
${facts(door)}
${NEXT[door.state](door)}
</div>`,
})

const CHECK = html`<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"><path d="m5 12.5 4.5 4.5L19 7.5"/></svg>`

/** Large enough to be held up to whoever stands at the door. */
const welcome = (door: Door): Html => html`<div class="welcome" role="status">
${CHECK}
<h1>You are in</h1>
${door.checkedInAt && html`<p>Checked in ${moment(door.checkedInAt, door)}</p>`}
</div>`

function facts(door: Door): Html {
  const when = whenOf(door, 'long', WORDS)
  const { venueName, venueCity } = door.known ?? { venueName: null, venueCity: null }
  const place = placeOf({ eventType: door.eventType, venueName, venueCity }, WORDS)
  return html`<dl>
<dt>When</dt><dd>${spanOf(door, when)}<br><span class="quiet small">${when.zone}</span></dd>
${place && html`<dt>Where</dt><dd><bdi>${place}</bdi></dd>`}
</dl>`
}

const moment = (at: Date, { timezone, at: seenAt }: Door): Html =>
  html`<time datetime="${iso(at)}">${momentOf(at, timezone, seenAt, WORDS)}</time>`

const notice = (text: Html, then?: string): Html =>
  html`<p class="notice"><strong>${text}.</strong>${then && ` ${then}.`}</p>`

const ASK = 'Ask the people at the door: they can check you in'

const NEXT: Record<DoorState, (door: Door) => Html | null> = {
  open: (door) => (door.person === null ? signIn(door) : button(door, door.person)),
  in: () => null,
  early: (door) => notice(html`Check-in opens ${moment(opensAt(door), door)}`, 'The same code works then'),
  closed: () => notice(html`Check-in has closed`, 'It ended a day after the event'),
  cancelled: ({ known }) => html`${notice(html`This event was cancelled`)}
${known?.cancelReason && html`<p dir="auto">${known.cancelReason}</p>`}`,
  expired: () => notice(html`This code has expired`, ASK),
  'used-up': () => notice(html`This code is used up`, ASK),
}

const signIn = ({ address }: Door): Html =>
  html`<a class="button wide" href="${loginPath(address)}">Sign in and check in</a>`

const button = (
  { address, method }: Door,
  person: Caller,
): Html => html`<form method="post" action="${address}">
${formToken(person)}
<input type="hidden" name="method" value="${method}">
<button class="button wide">Check in</button>
</form>`
