import type { EventFilters } from '@/modules/gatherings/events/schema'

/** Title parts that distinguish a filtered feed in a reader's list. */
export function namesOf(filters: EventFilters): string[] {
  const { group, tag, city, search, type, status, featured, from, to } = filters
  const day = (time: string) => time.slice(0, 10)
  const names = [
    group?.replaceAll(',', ', '),
    tag,
    city,
    search && `“${search}”`,
    type,
    featured ? 'featured' : undefined,
    status === 'past' ? 'past' : undefined,
    from && `from ${day(from)}`,
    to && `to ${day(to)}`,
  ]
  return names.filter((name): name is string => Boolean(name))
}
