import { warnSparingly } from '@/core/log'
import { decodedRest } from '@/http/path-names'
import { matches, respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { storage } from '@/outbound/storage/current'
import { damaged } from '@/outbound/storage/damage'
import { explainStorage } from '../failures'
import { isKey } from '../key'
import { notServed, servedFiles } from './cache'
import { versionFor, widthIn } from './choose'
import { type Content, contentOf } from './content'
import { rangeIn } from './range'
import type { Served, Version } from './versions'

/** The file that the rest of a path names. It waits for nothing where the row is known and the file is on a disk. */
export function sendFile(visit: Visit, rest: string): Response | Promise<Response> {
  const known = servedFiles.peek(rest)
  if (known !== undefined) return send(visit, known)
  const key = decodedRest(rest)
  if (!isKey(key)) throw notServed()
  const served = servedFiles.get(key)
  return served instanceof Promise ? served.then((found) => send(visit, found)) : send(visit, served)
}

function send(visit: Visit, served: Served): Response | Promise<Response> {
  const { method, headers, url } = visit.request
  const version = versionFor(served, widthIn(url), headers)
  const known = headers.get('if-none-match')
  if (known !== null && matches(known, version.etag)) return respond(visit, 304, null, version.headers)
  return method === 'HEAD' ? sendHead(visit, version) : sendContent(visit, version)
}

async function sendHead(visit: Visit, { object, size, headers }: Version): Promise<Response> {
  const found = await storage.find(object).catch(explainStorage)
  if (found === null) throw missing(object)
  if (found.size !== size) explainStorage(damaged(object, found.size, size))
  return respond(visit, 200, ofLength(size), headers)
}

/** The framework reads the body of an answer to HEAD only to add up its length, which is known here. */
const ofLength = (byteLength: number) =>
  new ReadableStream({
    start(controller) {
      controller.enqueue({ byteLength })
      controller.close()
    },
  })

function sendContent(visit: Visit, version: Version): Response | Promise<Response> {
  const { object, size, headers } = version
  const range = rangeIn(visit.request.headers, version)
  const send = (content: Content | null) => {
    if (content === null) throw missing(object)
    return range
      ? respond(visit, 206, content, headers, {
          'content-range': `bytes ${range.start}-${range.end - 1}/${size}`,
        })
      : respond(visit, 200, content, headers)
  }
  const content = contentOf(version, range)
  return content instanceof Promise ? content.then(send, explainStorage) : send(content)
}

/** A file whose row was ready: unless it has been deleted just now, it was lost. */
function missing(object: string) {
  warnSparingly('uploads: a file is missing that should be there', { object })
  return notServed()
}
