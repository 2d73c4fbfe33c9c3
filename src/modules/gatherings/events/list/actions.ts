import { action } from '@/core/action'
import { now, nowMs } from '@/core/clock'
import { type Page, pageOf } from '@/core/page'
import { keysetPage } from '@/db/keyset'
import { cache } from '@/outbox/cache'
import { readPublic } from '@/outbox/replicas'
import { concernsEvents } from '../cache'
import { presentListItem } from '../present'
import { type EventFilters, EventListInput, EventListItem } from '../schema'
import { filterOf, groupsIn } from './filter'
import { beginningOfGroups, eventOrder, listListedEvents } from './queries'

export const listEvents = action({
  name: 'listEvents',
  access: 'read:events',
  openOnSite: true,
  summary: 'Browse and search events',
  description: 'Upcoming events by start, by default. Drafts are never listed.',
  input: EventListInput,
  output: pageOf(EventListItem),
  stable: true,
  // "Upcoming" depends on the clock, so the cache key includes the second.
  run: (_caller, input) => pages.get(`${Math.floor(nowMs() / 1000)} ${JSON.stringify(input)}`),
})

const pages = cache<Page<EventListItem>>({
  max: 500,
  maxAgeMs: 2000,
  load: (key) => readPage(JSON.parse(key.slice(key.indexOf(' ') + 1)) as EventListInput),
  drops: (message, drop) => {
    if (concernsEvents(message)) drop.all()
  },
})

function readPage(input: EventListInput): Promise<Page<EventListItem>> {
  const { limit: _, cursor: __, before: ___, offset: ____, sort = 'start', ...filters } = input
  const direction = input.direction ?? (sort === 'start' && input.status !== 'past' ? 'asc' : 'desc')
  return readPublic((db) =>
    keysetPage(
      {
        list: 'events',
        filters: { ...filters, sort, direction },
        input,
        order: eventOrder(sort, direction),
        rows: (after) =>
          after === undefined && hasOnlyGroups(filters)
            ? beginningOfGroups(
                `${input.status ?? 'upcoming'} ${sort} ${direction}`,
                now(),
                groupsIn(filters.group),
              )
            : listListedEvents(db, filterOf(input, now()), after),
      },
      presentListItem,
    ),
  )
}

function hasOnlyGroups(filters: EventFilters): filters is EventFilters & { group: string } {
  const { group, status: _, ...others } = filters
  return group !== undefined && Object.values(others).every((filter) => filter === undefined)
}
