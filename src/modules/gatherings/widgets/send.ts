import { perObject } from '@/core/memo'
import { type CachedBody, encodingFor, type Form, knownTag, respondCached } from '@/http/encodings'
import { respond } from '@/http/respond'
import { queryOf, type Visit } from '@/http/visit'
import { documentFor } from './cache'
import { FRAMED_HEADERS } from './document/document'
import { embedScript, SCRIPT_HEADERS } from './embed/script'
import { readWidgetRequest, type Widget, type WidgetRequest } from './request'

/** Async only if not cached: promises cost 6 % of `GET /widget/next-event`. */
export function sendWidget(visit: Visit, widget: Widget): Response | Promise<Response> {
  const document = documentFor(requestFor(widget, queryOf(visit.request.url)))
  return document instanceof Promise ? document.then((made) => answer(visit, made)) : answer(visit, document)
}

function answer(visit: Visit, document: CachedBody): Response | Promise<Response> {
  const etag = tagHeldBy(visit, document)
  if (etag !== undefined) return respond(visit, 304, null, FRAMED_HEADERS, { etag })
  const form = document.form(encodingFor(visit.request))
  return form instanceof Promise ? form.then((made) => send(visit, made)) : send(visit, form)
}

/** Building the headers per response would cost more than all other work. */
const headersOf = perObject(({ etag, encoding }: Form) => ({
  ...FRAMED_HEADERS,
  etag,
  ...(encoding !== 'identity' && { 'content-encoding': encoding }),
}))

const send = (visit: Visit, form: Form) => respond(visit, 200, form.bytes, headersOf(form))

/** Parsed queries of frequent URLs. Long ones are not cached, to bound memory. */
const read: Record<Widget, Map<string, WidgetRequest>> = { 'next-event': new Map(), carousel: new Map() }
const READ_MAX = 500
const LENGTH_MAX = 300

function requestFor(widget: Widget, query: string): WidgetRequest {
  if (query.length > LENGTH_MAX) return readWidgetRequest(widget, query)
  const known = read[widget]
  let request = known.get(query)
  if (request === undefined) {
    request = readWidgetRequest(widget, query)
    if (known.size >= READ_MAX) known.clear()
    known.set(query, request)
  }
  return request
}

export function sendScript(visit: Visit): Response | Promise<Response> {
  const etag = tagHeldBy(visit, embedScript)
  if (etag !== undefined) return respond(visit, 304, null, SCRIPT_HEADERS, { etag })
  return respondCached(visit, embedScript, SCRIPT_HEADERS)
}

function tagHeldBy({ request }: Visit, { etag }: CachedBody): string | undefined {
  const known = request.headers.get('if-none-match')
  return known === null ? undefined : knownTag(known, etag)
}
