import type { Visitor } from '@/core/caller'
import { readTrace, type Trace } from '@/core/trace'
import type { Verdict } from './limits/limiter'
import type { Traits } from './route-traits'

/** The state of a request. */
export type Visit = {
  readonly request: Request
  readonly id: string
  readonly startedAt: number
  readonly traits: Traits
  readonly trace: Trace | undefined
  /** Whether a page, feed or widget asks. */
  readonly onSite: boolean
  /** The route pattern, for the log: a path may hold a secret, its pattern never does. */
  readonly route: string
  visitor: Visitor
  /** The caller's budget, on paths that show it. */
  budget: Verdict | null
  /** Unused query parameters, for a header that names them. */
  ignored?: string
}

export function beginVisit(request: Request, route: string, traits: Traits): Visit {
  return {
    request,
    // A counter would reveal the number of requests.
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
 * The path of `scheme://host/path?query`, with a host of any length. Cut out by hand: a URL with a malformed Host does not parse,
 * or lacks a host.
 */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  if (start === -1) return '/'
  const end = url.indexOf('?', start)
  return end === -1 ? url.slice(start) : url.slice(start, end)
}

export function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}
