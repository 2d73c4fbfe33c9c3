import { Type } from '@sinclair/typebox'
import { config } from '@/config/config'
import { notFound } from '@/core/errors'
import { parser } from '@/core/parse'
import { readQuery } from '@/http/input'
import { type EventFilters, eventFilters } from '@/modules/gatherings/events/schema'
import { FORMATS, type Format } from './feed'

/** Filters are in a fixed order, so that each selection has one canonical URL. */
export type FeedAddress =
  | { kind: 'events'; filters: EventFilters }
  | { kind: 'group'; slug: string; filters: EventFilters }
  | { kind: 'person'; userId: string }

export const isFiltered = (address: FeedAddress) =>
  address.kind !== 'person' && Object.keys(address.filters).length > 0

const FILTERS = Type.Object(eventFilters)
const parseFilters = parser(FILTERS)
const NAMES = Object.keys(eventFilters).sort() as (keyof EventFilters)[]

export const NO_FILTERS: EventFilters = Object.freeze({})

/** Ignores unknown query parameters. */
export function filtersIn(url: string): EventFilters {
  const query = readQuery(FILTERS.properties, url)
  return query === undefined ? NO_FILTERS : ordered(parseFilters(query))
}

/** Group names are case-insensitive and sorted. */
function ordered(filters: EventFilters): EventFilters {
  const given = NAMES.filter((name) => filters[name] !== undefined).map((name) => [name, filters[name]])
  const named = Object.fromEntries(given) as EventFilters
  return named.group === undefined ? named : { ...named, group: slugsIn(named.group).join(',') }
}

const slugsIn = (list: string) =>
  [
    ...new Set(
      list
        .toLowerCase()
        .split(',')
        .map((slug) => slug.trim())
        .filter(Boolean),
    ),
  ].sort()

/** Splits the last path segment into name and format. */
export function splitName(file: string): { name: string; format: Format } {
  const dot = file.lastIndexOf('.')
  const format = FORMATS.find((one) => one === file.slice(dot + 1))
  if (dot < 1 || format === undefined) throw notFound('Feed')
  return { name: file.slice(0, dot), format }
}

/** The canonical path and query; personal feeds carry the token instead of a user id. */
export function pathOfFeed(address: FeedAddress, format: Format, token?: string): string {
  if (address.kind === 'person') return `/feeds/me/${token}.${format}`
  const name = address.kind === 'events' ? 'events' : `groups/${encodeURIComponent(address.slug)}`
  const query = new URLSearchParams(address.filters as Record<string, string>).toString()
  return `/feeds/${name}.${format}${query && `?${query}`}`
}

export const addressesOf = (address: FeedAddress, token?: string): Record<Format, string> => {
  const one = (format: Format) => config.baseUrl + pathOfFeed(address, format, token)
  return { ics: one('ics'), rss: one('rss'), atom: one('atom'), json: one('json') }
}

/** `webcal:` makes the calendar app subscribe; a downloaded file is imported once and never refreshed. */
export const subscribing = (feed: string): string => feed.replace(/^https?:/, 'webcal:')
