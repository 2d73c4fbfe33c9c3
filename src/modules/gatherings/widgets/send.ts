import { type KeptBody, knownTag, respondKept } from '@/http/encodings'
import { respond } from '@/http/respond'
import { queryOf, type Visit } from '@/http/visit'
import { readAsked, type Widget } from './asked'
import { documentFor } from './cache'
import { FRAMED_HEADERS } from './document/document'

/** Sends a widget, or word that it has not changed. It waits for nothing where the document is known. */
export function sendWidget(visit: Visit, widget: Widget): Response | Promise<Response> {
  const document = documentFor(readAsked(widget, queryOf(visit.request.url)))
  return document instanceof Promise ? document.then((made) => send(visit, made)) : send(visit, document)
}

const send = (visit: Visit, document: KeptBody) => sendKept(visit, document, FRAMED_HEADERS)

export function sendKept(
  visit: Visit,
  body: KeptBody,
  kind: Readonly<Record<string, string>>,
): Response | Promise<Response> {
  const known = visit.request.headers.get('if-none-match')
  const etag = known === null ? undefined : knownTag(known, body.etag)
  return etag === undefined ? respondKept(visit, body, kind) : respond(visit, 304, null, kind, { etag })
}
