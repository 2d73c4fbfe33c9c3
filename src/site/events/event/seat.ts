import type { Caller } from '@/core/caller'
import { formToken } from '@/web/form-token'
import { type Html, html } from '@/web/html'
import type { Words } from '@/words/words'
import type { EventPhase } from './view'

/** The anchor of the button, to return to after sign-in or a press. */
export const SEAT = 'seat'

export const seatPath = (eventId: string) => `/events/${eventId}#${SEAT}`

type Rsvp = { status: 'confirmed' | 'waitlisted' | 'cancelled'; waitlistPosition: number | null }

const CHECK = html`<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"><path d="m5 12.5 4.5 4.5L19 7.5"/></svg>`
const LINE = html`<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"><circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/></svg>`

/** The visitors' button: signs in first. */
export function anonymousSeat(eventId: string, phase: EventPhase, { events: { seat } }: Words): Html | null {
  if (phase !== 'open' && phase !== 'full') return null
  return html`<form method="post" action="/events/${eventId}?do=rsvp"><button class="button wide">${phase === 'full' ? seat.wait : seat.take}</button></form>
<p class="quiet small after">${seat.signInFirst}</p>`
}

/** The person's RSVP and what they can do. */
export function ownSeat(
  caller: Caller,
  rsvp: Rsvp | null,
  { phase, isLimited }: { phase: EventPhase; isLimited: boolean },
  { events: { seat } }: Words,
): Html | null {
  const status = rsvp?.status ?? 'cancelled'
  if (phase === 'over') return status === 'confirmed' ? statusLine(CHECK, seat.hadOne, seat.hadOneText) : null
  if (phase === 'draft' || phase === 'cancelled') return null
  const token = formToken(caller)
  if (status === 'confirmed')
    return html`${statusLine(CHECK, seat.yours, seat.yoursText)}
${isLimited ? leaving(seat.cannotCome, seat.giveUpText, seat.giveUp, token) : leaving(seat.cannotCome, seat.cancelText, seat.cancel, token)}`
  if (status === 'waitlisted')
    return html`${statusLine(LINE, seat.inLine(rsvp?.waitlistPosition ?? 0), seat.inLineText)}
${leaving(seat.noMoreWaiting, seat.leaveText, seat.leave, token)}`
  return html`<form method="post" action="?do=rsvp">${token}<button class="button wide">${phase === 'full' ? seat.wait : seat.take}</button></form>
${status !== rsvp?.status ? null : html`<p class="quiet small after">${isLimited ? seat.gaveUp : seat.cancelled}</p>`}`
}

const statusLine = (sign: Html, title: string, text: string): Html =>
  html`<div class="rsvp-status" role="status">${sign}<div><strong>${title}</strong><p>${text}</p></div></div>`

/** Asks for confirmation and says what will be lost. */
const leaving = (question: string, text: string, label: string, token: Html): Html =>
  html`<details class="leaving"><summary>${question}</summary>
<p>${text}</p>
<form method="post" action="?do=cancel">${token}<button class="button danger">${label}</button></form></details>`
