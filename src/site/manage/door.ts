import { now } from '@/core/clock'
import type { Visit } from '@/http/visit'
import {
  checkInAttendee,
  exportAttendees,
  listEventAttendees,
  undoCheckin,
} from '@/modules/gatherings/checkins/attendees/actions'
import { hasOpened, opensAt } from '@/modules/gatherings/checkins/availability'
import type { Attendee } from '@/modules/gatherings/checkins/schema'
import { changeEvent } from '@/modules/gatherings/organizing/actions'
import { emptyState } from '@/site/parts/empty'
import { chips, find } from '@/site/parts/find'
import { done, list } from '@/site/parts/list'
import { pageAsked } from '@/site/parts/pager'
import { person } from '@/site/parts/person'
import { deedForm, press } from '@/site/parts/press'
import { ask, queryIn } from '@/web/ask'
import { line } from '@/web/fields'
import { deed, forms, type Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { summary } from '@/web/problem'
import { clockWords, moment, timesOf } from '@/web/when'
import { eventPage, type Managed, type Occasion, occasionOf } from './occasion'
import { eventAt } from './paths'
import { publishPress } from './publish-press'

const PER_PAGE = 50
const STATUSES = ['confirmed', 'waitlisted', 'walk_in', 'cancelled'] as const

/** The door: how many are in, who is expected, and one large button for each. */
export async function showDoor(visit: Visit, params: Params, sent?: Sent): Promise<Page> {
  const place = await occasionOf(visit, params)
  const { words, query, event, isManager, caller } = place
  const { manage } = words
  const search = query.get('search')?.trim() || undefined
  const status = STATUSES.find((one) => one === query.get('status'))
  const page = await ask(visit, listEventAttendees, params, {
    search,
    status,
    limit: PER_PAGE,
    ...pageAsked(query),
  })
  return {
    ...eventPage(
      place,
      '',
      html`${summary(sent)}${(await whoWasIt(place)) || done(query, manage.done)}
${state(place)}
<div class="door">
${counts(place)}
${find({ label: manage.findGuest, button: words.frame.searchFor, value: search ?? '', keep: { status: status ?? '' }, isFirst: query.has('about') })}${chips(
  manage.filter,
  'status',
  status ?? '',
  [
    { value: '', label: manage.everyone },
    ...STATUSES.map((value) => ({ value, label: manage.statuses[value] })),
  ],
)}
<div data-live="guests">${list({
        page,
        query,
        words,
        row: (guest) => guestRow(guest, place),
        empty:
          search || status
            ? emptyState({ title: manage.nobodyFound, text: manage.nobodyFoundText })
            : emptyState({
                title: manage.nobodyYet,
                text: manage.nobodyYetText,
                to: { href: `/events/${event.id}`, label: manage.publicPage },
              }),
      })}</div>
</div>
${isOpen(event) && walkIn(place, sent)}
${
  isManager &&
  html`<section class="details"><h2 class="first">${manage.exportTitle}</h2>
<p class="quiet">${manage.exportText}</p>
${press(caller, { deed: 'export', label: manage.export, kind: 'plain' })}</section>`
}`,
    ),
    islands: ['live'],
  }
}

const counts = ({ event, words: { manage } }: Occasion): Html => {
  const { confirmed, waitlisted, capacity } = event.rsvpSummary
  return html`<dl class="stats" data-live="counts"><div><dt>${manage.checkedIn}</dt><dd>${event.checkinCount}</dd></div>
<div><dt>${manage.confirmed}</dt><dd>${confirmed}${capacity !== null && html`<span class="quiet"> / ${capacity}</span>`}</dd></div>
${waitlisted > 0 && html`<div><dt>${manage.waiting}</dt><dd>${waitlisted}</dd></div>`}</dl>`
}

function state({ event, words, path, isManager, caller, zone }: Occasion): Html | false {
  const { manage } = words
  if (event.status === 'cancelled')
    return html`<p class="notice alarm">${manage.wasCancelled} <span dir="auto">${event.cancelReason}</span></p>`
  if (event.status === 'draft')
    return html`<div class="notice"><p>${manage.isDraft}</p>${
      isManager &&
      html`<div class="buttons">${publishPress(caller, event, words, '')}<a class="button plain" href="${path}/edit">${manage.edit}</a></div>`
    }</div>`
  return (
    !isOpen(event) &&
    html`<p class="notice">${manage.doorOpens} ${moment(opensAt(timesOf(event)), zone, words)}.</p>`
  )
}

/** Until then, and without an event, the door has nothing to press. */
const isOpen = (event: Managed) => event.status === 'published' && hasOpened(timesOf(event), now())

function guestRow(guest: Attendee, { words, caller, event, isManager, zone, query }: Occasion): Html {
  const { manage } = words
  const { userId, user, status, checkedIn, checkedInAt, waitlistPosition } = guest
  const mark =
    status === 'confirmed'
      ? null
      : html`<span class="mark quiet">${waitlistPosition === null ? manage.statuses[status] : manage.inLine(waitlistPosition)}</span>`
  const keep = new URLSearchParams(query)
  keep.delete('search')
  keep.set('who', user.username ?? user.name)
  const fields = { userId }
  const act = checkedIn
    ? html`<span class="mark in">✓ ${checkedInAt && clockWords(new Date(checkedInAt), zone, words)}</span>${
        isManager &&
        press(caller, {
          deed: 'undo',
          fields,
          keep,
          label: html`${manage.undo}<span class="hidden"> ${user.name}</span>`,
        })
      }`
    : isOpen(event) &&
      press(caller, {
        deed: 'checkin',
        fields,
        keep,
        label: html`${manage.checkIn}<span class="hidden"> ${user.name}</span>`,
        kind: '',
      })
  return html`<li id="p-${userId}"${checkedIn && html` class="in"`}>${person({ id: userId, ...user }, html`${mark}`)}<div class="end">${act}</div></li>
`
}

/** Whom the last form of this page was about, by what is true of them now. */
async function whoWasIt({ visit, params, query, words: { manage } }: Occasion): Promise<Html | false> {
  const about = query.get('about')?.toLowerCase()
  const who = query.get('who')?.trim().slice(0, 100) || about
  if (!about || !who) return false
  const { data } = await ask(visit, listEventAttendees, params, { search: who, limit: 100 })
  const guest = data.find(({ userId, user }) => userId === about || user.username?.toLowerCase() === about)
  if (guest === undefined) return false
  return guest.checkedIn
    ? html`<p class="notice big" role="status">✓ ${manage.isIn(guest.user.name)}</p>`
    : html`<p class="notice" role="status">${manage.isOut(guest.user.name)}</p>`
}

const walkIn = ({ caller, words: { manage } }: Occasion, sent?: Sent): Html =>
  html`<details class="details"${sent?.problem.field === 'userId' && html` open`}><summary>${manage.walkIn}</summary>
<p class="quiet">${manage.walkInText}</p>
${deedForm(caller, {
  deed: 'checkin',
  body: html`${line({ name: 'userId', label: manage.fields.username, attributes: html` required maxlength="100" autocapitalize="none" autocomplete="off" spellcheck="false"` }, sent)}
<p class="after"><button class="button">${manage.checkIn}</button></p>`,
})}</details>`

const page = showDoor

/** Back to the list as it was, without what was searched for, and with a word about whom it was. */
function backToDoor(input: Record<string, unknown>, _: unknown, visit: Visit): string {
  const query = queryIn(visit)
  for (const name of ['do', 'search', 'done', 'about']) query.delete(name)
  query.set('about', String(input.userId))
  return `${eventAt()(input)}?${query}`
}

export const doorForms = forms({
  checkin: deed(checkInAttendee, {
    fields: ({ manage }) => ({ userId: manage.fields.username }),
    page,
    done: backToDoor,
  }),
  undo: deed(undoCheckin, { fields: { userId: null }, page, done: backToDoor, soAlready: ['not_found'] }),
  publish: deed(changeEvent, { fields: { status: null }, page, done: eventAt('?done=published') }),
  export: deed(exportAttendees, { fields: {}, page, done: (_, made) => new URL(made?.url ?? '').pathname }),
})
