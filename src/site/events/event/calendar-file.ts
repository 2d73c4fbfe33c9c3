import { cachedBody, knownTag, respondCached } from '@/http/encodings'
import { respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { visibleEvent } from '@/modules/gatherings/events/visible'
import { calendarOf } from '@/modules/gatherings/feeds/single'
import { type Params, personOf } from '@/web/page'
import { eventIdIn } from './view'

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
