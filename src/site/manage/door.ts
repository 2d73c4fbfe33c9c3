import type { Caller } from '@/core/caller'
import { now } from '@/core/clock'
import type { Visit } from '@/http/visit'
import { listEventAttendees } from '@/modules/gatherings/checkins/attendees/actions'
import { hasOpened, opensAt } from '@/modules/gatherings/checkins/availability'
import type { Attendee } from '@/modules/gatherings/checkins/schema'
import { chips, done, emptyState, list, pageAsked, searchForm } from '@/site/parts/list'
import { person } from '@/site/parts/person'
import { press } from '@/site/parts/press'
import { ask } from '@/web/ask'
import { summary } from '@/web/fields'
import type { Sent } from '@/web/form'
import { type Html, html } from '@/web/html'
import type { Page } from '@/web/layout'
import type { Params } from '@/web/page'
import { clockWords, moment, momentOf, timesOf } from '@/web/when'
import type { Words } from '@/words/words'
import { type EventContext, eventContext, eventPage, type Managed } from './event-page'
import { walkIn } from './walk-in'

const PER_PAGE = 50
const STATUSES = ['confirmed', 'waitlisted', 'walk_in', 'cancelled'] as const
/** People with a seat who have not checked in: the most used filter. */
const MISSING = 'missing'

/** Check-in: how many are in, who is expected, and a large button for each. */
export async function showDoor(visit: Visit, params: Params, sent?: Sent): Promise<Page> {
  const context = await eventContext(visit, params)
  const { words, query, event, isManager, caller } = context
  const { manage } = words
  const search = query.get('search')?.trim() || undefined
  const shown = [MISSING, ...STATUSES].find((one) => one === query.get('status')) ?? ''
  const filter =
    shown === MISSING ? { status: 'confirmed', checkedIn: false } : { status: shown || undefined }
  const page = await ask(visit, listEventAttendees, params, {
    search,
    ...filter,
    limit: PER_PAGE,
    ...pageAsked(query),
  })
  const notice = await whoWasIt(context, sent)
  const refused = notice ? undefined : sent
  return {
    ...eventPage(
      context,
      '',
      html`${notice || summary(refused) || done(query, manage.done)}
${state(context)}
<div class="door">
${counts(context)}
${searchForm({ label: manage.findGuest, button: words.frame.searchFor, value: search ?? '', keep: { status: shown }, autofocus: notice !== false })}${chips(
  manage.filter,
  'status',
  shown,
  [
    { value: '', label: manage.everyone },
    { value: MISSING, label: manage.notHereYet },
    ...STATUSES.map((value) => ({ value, label: manage.statuses[value] })),
  ],
)}
<div data-live="guests">${list({
        page,
        query,
        words,
        row: (guest) => guestRow(guest, context),
        empty:
          shown === MISSING && !search
            ? emptyState({ title: manage.allHere, text: manage.allHereText })
            : search || shown
              ? emptyState({ title: manage.nobodyFound, text: manage.nobodyFoundText })
              : emptyState({
                  title: manage.nobodyYet,
                  text: manage.nobodyYetText,
                  to: { href: `/events/${event.id}`, label: manage.publicPage },
                }),
      })}</div>
</div>
${isOpen(event) && walkIn(context, refused)}
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

const counts = ({ event, words: { manage } }: EventContext): Html => {
  const { confirmed, waitlisted, capacity } = event.rsvpSummary
  const walkIns = event.walkInCount
  return html`<dl class="stats" data-live="counts"><div><dt>${manage.checkedIn}</dt><dd>${event.checkinCount}</dd></div>
<div><dt>${manage.confirmed}</dt><dd>${confirmed}</dd></div>
${walkIns > 0 && html`<div><dt>${manage.statuses.walk_in}</dt><dd>${walkIns}</dd></div>`}
${capacity !== null && html`<div><dt>${manage.spotsTaken}</dt><dd>${confirmed + walkIns}<span class="quiet"> / ${capacity}</span></dd></div>`}
${waitlisted > 0 && html`<div><dt>${manage.waiting}</dt><dd>${waitlisted}</dd></div>`}</dl>`
}

function state({ event, words, path, isManager, caller, zone }: EventContext): Html | false {
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

/** Check-in buttons appear only for a published event whose doors are open. */
const isOpen = (event: Managed) => event.status === 'published' && hasOpened(timesOf(event), now())

/** A member's id, or that of a guest without an account. */
const idOf = ({ userId, guest }: Attendee): string => (userId ?? guest?.id) as string

function guestRow(guest: Attendee, { words, caller, event, isManager, zone, query }: EventContext): Html {
  const { manage } = words
  const { user, status, checkedIn, checkedInAt, waitlistPosition } = guest
  const id = idOf(guest)
  const mark =
    status === 'confirmed'
      ? null
      : html`<span class="mark quiet">${guest.guest !== null ? manage.guest : status === 'walk_in' ? manage.aWalkIn : waitlistPosition === null ? manage.statuses[status] : manage.inLine(waitlistPosition)}</span>`
  const keep = new URLSearchParams(query)
  keep.delete('search')
  keep.set('who', user.username ?? user.name)
  const fields = { [guest.guest === null ? 'userId' : 'guestId']: id }
  const act = checkedIn
    ? html`<span class="mark in">✓ ${checkedInAt && clockWords(new Date(checkedInAt), zone, words)}</span>${
        isManager &&
        press(caller, {
          deed: guest.guest === null ? 'undo' : 'undo-guest',
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
  return html`<li id="p-${id}"${checkedIn && html` class="in"`}>${person({ id, ...user }, html`${mark}`)}<div class="end">${act}</div></li>
`
}

/** The person of the last form, with their current state. */
async function whoWasIt(
  { visit, params, query, words, event }: EventContext,
  sent?: Sent,
): Promise<Html | false> {
  const { manage } = words
  const typed = (name: string) => sent?.values.get(name)?.trim().slice(0, 100)
  const about = (sent ? typed('userId') || typed('email') : query.get('about'))
    ?.replace(/^@/, '')
    .toLowerCase()
  const who = query.get('who')?.trim().slice(0, 100) || about
  if (!about || !who) return false
  const { data } = await ask(visit, listEventAttendees, params, { search: who, limit: 100 })
  const guest = data.find((one) =>
    [idOf(one), one.user.username?.toLowerCase(), one.guest?.email].includes(about),
  )
  if (guest === undefined) return false
  // A second check-in shows when and how the first happened: it may have been a person with the same name.
  if (sent) {
    if (guest.checkedInAt === null) return false
    const when = momentOf(new Date(guest.checkedInAt), event.timezone, now(), words)
    const how = manage.methods[guest.method ?? 'manual']
    return html`<p class="notice alarm" role="alert">${manage.wasIn(guest.user.name, when, how, guest.codeLabel)}</p>`
  }
  return guest.checkedIn
    ? html`<p class="notice big" role="status">✓ ${manage.isIn(guest.user.name)}</p>`
    : html`<p class="notice" role="status">${manage.isOut(guest.user.name)}</p>`
}

/** The button that publishes a draft. For an event in the past it asks once. */
function publishPress(caller: Caller, event: Managed, { manage }: Words, kind: string): Html {
  const button = press(caller, {
    deed: 'publish',
    fields: { status: 'published' },
    label: manage.publish,
    kind,
  })
  if (new Date(event.dateTime) > now()) return button
  return html`<details><summary>${manage.publish}</summary>
<p>${manage.isPast}</p>
${button}</details>`
}
