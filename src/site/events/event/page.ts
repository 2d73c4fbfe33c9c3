import { db } from '@/db/client'
import { type Entry, invoke } from '@/http/invoke'
import type { Visit } from '@/http/visit'
import { isStaff } from '@/modules/gatherings/events/visible'
import { addressesOf } from '@/modules/gatherings/feeds/address'
import { cancelRsvp, readRsvp, rsvpToEvent } from '@/modules/gatherings/rsvps/actions'
import { eventsEndAt, placeIn } from '@/site/parts/event'
import { feedLinks, openGraph } from '@/site/parts/sharing'
import { summary } from '@/web/fields'
import { deed, type Sent } from '@/web/form'
import { embedLinks } from '@/web/head'
import { type Html, html } from '@/web/html'
import { wordsFor } from '@/web/language'
import type { Page } from '@/web/layout'
import type { Asked, OpenPage } from '@/web/open-page'
import { type Params, signedIn } from '@/web/page'
import { excerpt } from '@/web/prose'
import { slot } from '@/web/slots'
import { PEOPLE_SHOWN } from '@/web/topics'
import { momentWords, timesOf } from '@/web/when'
import type { Words } from '@/words/words'
import { eventBody, joinLink, type Own } from './body'
import { eventFacts, previewPath } from './facts'
import { anonymousSeat, ownSeat, SEAT, seatPath } from './seat'
import { type EventView, eventFor, eventIdIn, phaseOf, viewOf } from './view'

const NOTHING = html``

/** The event page for visitors, with slots for personal parts. */
export async function showEvent(entry: Entry, { params, words }: Asked): Promise<OpenPage> {
  const view = await viewOf(entry, eventIdIn(params))
  const { event, guests, phase } = view
  const own = {
    seat: slot('seat', anonymousSeat(event.id, phase, words) ?? NOTHING),
    organizer: slot('organizer', NOTHING),
    online: slot('online', joinLink(null, words)),
  }
  return {
    ...pageOf(view, own, words),
    about: [event.id, PEOPLE_SHOWN, ...(event.group ? [event.group.id] : []), ...guests.map(({ id }) => id)],
    endsAt: eventsEndAt([event]),
  }
}

/** Fills those slots. */
export async function ownPart(
  visit: Visit,
  { params, words }: Pick<Asked, 'params' | 'words'>,
): Promise<Own> {
  const caller = signedIn(visit)
  const eventId = eventIdIn(params)
  const event = await eventFor(visit, eventId)
  const phase = phaseOf(event, timesOf(event))
  const [rsvp, organizes] = await Promise.all([
    phase === 'draft' ? null : invoke(visit, readRsvp, () => ({ eventId })),
    event.group !== null && isStaff(caller, event.group.id, db),
  ])
  return {
    seat:
      ownSeat(caller, rsvp?.rsvp ?? null, { phase, isLimited: event.maxAttendees !== null }, words) ??
      NOTHING,
    organizer: organizes ? manageLink(event, words) : NOTHING,
    online: joinLink(event.onlineUrl, words),
  }
}

const manageLink = ({ id, group }: EventView['event'], { events }: Words): Html =>
  html`<p><a class="button plain small" href="/manage/groups/${group?.id}/events/${id}">${events.manage}</a></p>`

function pageOf(view: EventView, own: Own, words: Words): Page {
  const { event, times, phase } = view
  const path = `/events/${event.id}`
  const description = [
    momentWords(times.startTime, times.timezone, words),
    placeIn(event, words),
    excerpt(event.description, 160),
  ]
    .filter(Boolean)
    .join(' · ')
  return {
    title: event.title,
    width: 'wide',
    section: 'events',
    theme: event.group?.themeColor ?? undefined,
    description,
    canonical: phase === 'draft' ? undefined : path,
    islands: ['own-time', 'copy', 'share'],
    head: phase === 'draft' ? undefined : head(view, path, description, words),
    body: eventBody(view, own, words),
  }
}

const head = (view: EventView, path: string, description: string, words: Words): Html[] => {
  const { title, group } = view.event
  return [
    openGraph({ title, description, path, picture: { path: previewPath(view.event), alt: title } }, words),
    ...embedLinks(view.event.eventUrl ?? '', title),
    ...(group?.urlname
      ? feedLinks(addressesOf({ kind: 'group', slug: group.urlname, filters: {} }), group.name)
      : []),
    eventFacts(view),
  ]
}

/** The page with a re-rendered form. */
async function again(visit: Visit, params: Params, sent: Sent): Promise<Page> {
  const words = wordsFor(visit)
  const view = await viewOf(visit, eventIdIn(params))
  const own = await ownPart(visit, { params, words })
  return pageOf(view, { ...own, seat: html`${summary(sent)}${own.seat}` }, words)
}

const done = ({ eventId }: Record<string, unknown>) => seatPath(String(eventId))

/** The page itself shows what was already so, or is no longer possible. */
export const seatDeeds = {
  rsvp: deed(rsvpToEvent, {
    fields: {},
    page: again,
    done,
    ignoredErrors: ['conflict', 'gone'],
    afterSignIn: `#${SEAT}`,
  }),
  cancel: deed(cancelRsvp, { fields: {}, page: again, done, ignoredErrors: ['not_found'] }),
}
