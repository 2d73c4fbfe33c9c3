import type { Visitor } from '@/core/caller'
import { readTrace, type Trace } from '@/core/trace'
import type { Verdict } from './limits/limiter'
import type { Traits } from './route-traits'

/** What is known of a request while it is being answered. */
export type Visit = {
  readonly request: Request
  readonly id: string
  readonly startedAt: number
  readonly traits: Traits
  /** The trace that its sender says it belongs to. */
  readonly trace: Trace | undefined
  /** Whether it is a page that asks, a feed or a widget. */
  readonly onSite: boolean
  /** The pattern of the route, for the log: a path may hold a secret, its pattern never does. */
  readonly route: string
  visitor: Visitor
  /** The caller's budget, on paths that show it. */
  budget: Verdict | null
  /** Query parameters that mean nothing here, for a header that names them. */
  ignored?: string
}

export function beginVisit(request: Request, route: string, traits: Traits): Visit {
  return {
    request,
    // A counter would tell strangers how many requests the server gets.
    id: crypto.randomUUID(),
    startedAt: performance.now(),
    route,
    traits,
    trace: readTrace(request.headers),
    onSite: traits.isSite,
    visitor: 'anonymous',
    budget: null,
  }
}

/**
 * The path of `scheme://host/path?query`, however short the host is. Path and query are cut out by hand: an address
 * under a malformed Host does not parse as a URL, or comes without a host at all.
 */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  if (start === -1) return '/'
  const end = url.indexOf('?', start)
  return end === -1 ? url.slice(start) : url.slice(start, end)
}

/** The query string as it was sent. */
export function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}
