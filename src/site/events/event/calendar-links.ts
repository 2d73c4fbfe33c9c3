import { cachedBody, knownTag, respondCached } from '@/http/encodings'
import { respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { overAt } from '@/modules/gatherings/events/time'
import { visibleEvent } from '@/modules/gatherings/events/visible'
import { calendarOf } from '@/modules/gatherings/feeds/single'
import { placeIn } from '@/site/parts/event'
import type { Link } from '@/web/message'
import { type Params, personOf } from '@/web/page'
import type { Words } from '@/words/words'
import { type EventView, eventIdIn } from './view'

const HEADERS = {
  'content-type': 'text/calendar; charset=utf-8',
  'content-disposition': 'attachment; filename="event.ics"',
  'cache-control': 'private, no-cache',
  vary: 'Accept-Encoding, Cookie',
}

/** `/events/{id}/calendar.ics`: one event for a calendar program, if visible to the reader. */
export async function sendCalendar(visit: Visit, params: Params): Promise<Response> {
  const found = await visibleEvent(personOf(visit), eventIdIn(params))
  const body = cachedBody(new TextEncoder().encode(await calendarOf(found)))
  const known = visit.request.headers.get('if-none-match')
  const etag = known === null ? undefined : knownTag(known, body.etag)
  return etag === undefined
    ? respondCached(visit, body, HEADERS)
    : respond(visit, 304, null, HEADERS, { etag })
}

/** `20261120T173000Z` */
const basic = (at: Date) => `${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`

/** Plain links to web calendars: nothing is loaded before a click. */
export function calendarLinks({ event, times }: EventView, words: Words): Link[] {
  const end = overAt(times.startTime, times.endTime)
  const place = [placeIn(event, words), event.venue?.address].filter(Boolean).join(', ')
  const url = event.eventUrl ?? ''
  const google = new URLSearchParams({
    action: 'TEMPLATE',
    text: event.title,
    dates: `${basic(times.startTime)}/${basic(end)}`,
    details: url,
    location: place,
  })
  const outlook = new URLSearchParams({
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: event.title,
    startdt: times.startTime.toISOString(),
    enddt: end.toISOString(),
    body: url,
    location: place,
  })
  return [
    { href: `/events/${event.id}/calendar.ics`, label: words.events.calendarFile },
    { href: `https://calendar.google.com/calendar/render?${google}`, label: 'Google' },
    { href: `https://outlook.live.com/calendar/0/deeplink/compose?${outlook}`, label: 'Outlook' },
  ]
}
