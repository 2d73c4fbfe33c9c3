import type { EventFilters } from '../schema'
import type { EventFilter } from './queries'

export const filterOf = (input: EventFilters, at: Date): EventFilter => ({
  statuses: input.cancelled === 'include' ? ['published', 'cancelled'] : ['published'],
  when: input.status ?? 'upcoming',
  at,
  groups: input.group === undefined ? undefined : groupsIn(input.group),
  search: input.search,
  tag: input.tag,
  city: input.city,
  type: input.type,
  from: input.from === undefined ? undefined : new Date(input.from),
  to: input.to === undefined ? undefined : new Date(input.to),
  featured: input.featured,
})

export const groupsIn = (group: string): string[] =>
  group
    .toLowerCase()
    .split(',')
    .map((slug) => slug.trim())
