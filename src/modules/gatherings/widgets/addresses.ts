import { config } from '@/config/config'
import { addressesOf as feedsOf } from '@/modules/gatherings/feeds/address'
import type { Format } from '@/modules/gatherings/feeds/feed'

export type GroupName = { id: string; urlname: string; name: string }

export type Addresses = { page: string; feeds: Record<Format, string> }

/** Null or an empty list means the whole community. */
export function addressesOf(groups: readonly GroupName[] | null): Addresses {
  const names = (groups ?? []).map(({ urlname }) => urlname.toLowerCase())
  const [only] = names
  if (only === undefined) return { page: at('/events'), feeds: feedsOf({ kind: 'events', filters: {} }) }
  if (names.length === 1)
    return {
      page: at(`/groups/${encodeURIComponent(only)}`),
      feeds: feedsOf({ kind: 'group', slug: only, filters: {} }),
    }
  const filters = { group: names.join() }
  return {
    page: at(`/events?${new URLSearchParams(filters)}`),
    feeds: feedsOf({ kind: 'events', filters }),
  }
}

const at = (path: string) => config.baseUrl + path
