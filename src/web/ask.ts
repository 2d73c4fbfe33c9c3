import type { AnyAction, ResultOf } from '@/core/action'
import { type Entry, invoke } from '@/http/invoke'
import { pathNames } from '@/http/path-names'
import { queryOf, type Visit } from '@/http/visit'
import type { Params } from './page'

const readers = new WeakMap<AnyAction, (params: Params) => Params>()

/** Invokes an action for a page. Path names are parsed as in the API: a malformed id is not found. */
export function ask<A extends AnyAction>(
  entry: Entry,
  action: A,
  params: Params = {},
  more: Record<string, unknown> = {},
): ResultOf<A> | Promise<ResultOf<A>> {
  const read = readers.get(action) ?? pathNames(action)
  readers.set(action, read)
  return invoke(entry, action, () => ({ ...read(params), ...more }))
}

export const queryIn = (visit: Visit): URLSearchParams => new URLSearchParams(queryOf(visit.request.url))
