import type { EventFilters } from '@/modules/gatherings/events/schema'
import { PAGER_QUERY, pageAsked } from '@/site/parts/list'

const FILTERS = ['search', 'group', 'type', 'city', 'tag', 'from', 'to', 'featured'] as const

/** Relevant query parameters of the list. */
export const LIST_QUERY = [...FILTERS, 'status', 'month', ...PAGER_QUERY]

const TYPES = ['physical', 'online', 'hybrid'] as const

export type ListAsked = {
  filters: EventFilters
  isPast: boolean
  /** `2026-11`, for the month view. */
  month: string | null
  page: { cursor?: string; before?: string }
}

const LENGTHS = { search: 100, group: 500, city: 100, tag: 40 } as const

const GROUPS_MAX = 20
const OTHER_MAX = 200

/** Bounds the query: each parameter once and cut to the form's length, because every link repeats it. */
export function bounded(query: URLSearchParams): URLSearchParams {
  const short = new URLSearchParams()
  for (const name of new Set(query.keys())) {
    const value = query.get(name) as string
    const text = name === 'group' ? value.split(',', GROUPS_MAX).join(',') : value
    const max = name in LENGTHS ? LENGTHS[name as keyof typeof LENGTHS] : OTHER_MAX
    short.set(name, text.slice(0, max))
  }
  return short
}

/** Parses a query and ignores invalid values, so that the page always shows something. */
export function readAsked(query: URLSearchParams): ListAsked {
  const texts = Object.entries(LENGTHS).flatMap(([name, length]) => {
    const text = query.get(name)?.trim() ?? ''
    return text === '' || text.length > length || CONTROL.test(text) ? [] : [[name, text]]
  })
  const type = TYPES.find((one) => one === query.get('type'))
  const [from, to] = [dayIn(query.get('from')), dayIn(query.get('to'))]
  const isPast = query.get('status') === 'past'
  return {
    filters: {
      ...Object.fromEntries(texts),
      ...(type && { type }),
      ...(from && { from: `${from}T00:00:00.000Z` }),
      ...(to && { to: `${to}T23:59:59.999Z` }),
      ...(query.get('featured') === 'true' && { featured: true }),
      ...(isPast && { status: 'past' as const }),
    },
    isPast,
    month: monthIn(query.get('month')),
    page: pageAsked(query),
  }
}

const CONTROL = /[\u0000-\u001f\u007f]/

/** An existing day. */
function dayIn(text: string | null): string | null {
  if (text === null || !/^\d{4}-\d\d-\d\d$/.test(text)) return null
  const at = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text ? null : text
}

/** Years 2000 to 2099 only: other calendars would be empty. */
function monthIn(text: string | null): string | null {
  return text !== null && /^20\d\d-(0[1-9]|1[0-2])$/.test(text) ? text : null
}

/** The address of the list with some parameters changed. */
export function listPath(query: URLSearchParams, change: Readonly<Record<string, string | null>>): string {
  const other = new URLSearchParams(query)
  for (const name of PAGER_QUERY) other.delete(name)
  for (const [name, value] of Object.entries(change)) {
    if (value === null) other.delete(name)
    else other.set(name, value)
  }
  return other.size === 0 ? '/events' : `/events?${other}`
}

export const isFiltered = (query: URLSearchParams): boolean => FILTERS.some((name) => query.has(name))
