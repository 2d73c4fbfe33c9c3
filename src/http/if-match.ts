import type { Action } from '@/core/action'
import type { Precondition } from '@/db/transaction'
import { envelope } from './registry'
import { matches, tagged } from './respond'
import type { Visit } from './visit'

type Params = Record<string, string>
type Mounted = { method: string; path: string; handler: unknown }

/** The ETag that the route's GET would send. */
type TagOf = (visit: Visit, params: Params) => Promise<string>

const readers = new WeakMap<object, TagOf>()
let readersByPath = new Map<string, TagOf>()

/** Registers the reader of a handler. */
export function keepReader(handler: object, action: Action, readNames: (params: Params) => Params) {
  const inEnvelope = envelope(action.output)
  readers.set(handler, async (visit, params) => {
    const result = await action.run(visit, readNames(params))
    return tagged(JSON.stringify(inEnvelope(result))).etag
  })
}

/** Called once, with all routes. */
export function learnReaders(routes: readonly Mounted[]) {
  readersByPath = new Map(
    routes.flatMap(({ method, path, handler }) => {
      const tagOf = method === 'GET' ? readers.get(handler as object) : undefined
      return tagOf ? [[path, tagOf] as const] : []
    }),
  )
}

const CHANGES = new Set(['PATCH', 'PUT', 'DELETE'])

/**
 * The `If-Match` condition of a change (RFC 9110, 13.1.1): `GET` must still give one of the tags. Compressing proxies weaken
 * tags, so weak ones match too. A path without a GET has no tags.
 */
export function preconditionOf(visit: Visit, params: Params): Precondition | undefined {
  const { request, route } = visit
  if (!CHANGES.has(request.method)) return undefined
  const wanted = request.headers.get('if-match')
  if (wanted === null || wanted.trim() === '*') return undefined
  const tagOf = readersByPath.get(route)
  const isMet = async () => tagOf !== undefined && matches(wanted, await tagOf(visit, params))
  return { isMet, isUsed: false }
}
