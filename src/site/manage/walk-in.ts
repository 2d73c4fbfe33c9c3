import { deedForm } from '@/site/parts/press'
import { line } from '@/web/fields'
import type { Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import type { EventContext } from './event-page'

const PLAIN = html` autocapitalize="none" autocomplete="off" spellcheck="false"`

/** People who are not on the list: guests by name or email, members by username. */
export const walkIn = ({ caller, words: { manage } }: EventContext, sent?: Sent): Html =>
  html`<details class="details"${sent !== undefined && html` open`}><summary>${manage.walkIn}</summary>
<div class="columns"><section><h2 class="first">${manage.guestTitle}</h2>
<p class="quiet">${manage.guestText}</p>
${deedForm(caller, {
  deed: 'guest',
  body: html`${line({ name: 'name', label: manage.fields.guestName, attributes: html` maxlength="100" dir="auto" autocomplete="off"` }, sent)}
${line({ name: 'email', type: 'email', label: manage.fields.guestEmail, attributes: html` maxlength="254"${PLAIN}` }, sent)}
<p class="after"><button class="button">${manage.checkInGuest}</button></p>`,
})}</section>
<section><h2 class="first">${manage.memberTitle}</h2>
<p class="quiet">${manage.walkInText}</p>
${deedForm(caller, {
  deed: 'checkin',
  body: html`${line({ name: 'userId', label: manage.fields.username, attributes: html` required maxlength="100"${PLAIN}` }, sent)}
<p class="after"><button class="button">${manage.checkIn}</button></p>`,
})}</section></div></details>`
