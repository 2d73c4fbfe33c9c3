import type { TSchema } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { DAY_MS } from '@/core/clock'
import { sweep } from '@/core/sweep'
import { db } from '@/db/client'
import { parameter } from '@/http/openapi/operation'
import type { Json } from '@/http/openapi/schemas'
import { NOT_MODIFIED, refused } from '@/http/openapi/shared'
import { plain, protocol } from '@/http/protocol'
import { respond } from '@/http/respond'
import { OPEN } from '@/http/route-traits'
import { queryOf, type Visit } from '@/http/visit'
import { eventFilters } from '@/modules/gatherings/events/schema'
import { FORMATS, type Format } from './feed'
import { deleteVersions } from './queries'
import { CONTENT_TYPES, eventsSender, sendGroup, sendOwn } from './send'

const UNREAD_DAYS = 30

const feedSweeps = [
  sweep({
    name: 'versions of feeds',
    keeps: { ms: UNREAD_DAYS * DAY_MS, after: 'somebody last read it' },
    run: (before) => deleteVersions(db, before),
  }),
]

const inPath = (name: string, schema: Json, description?: string): Json => ({
  name,
  in: 'path',
  required: true,
  ...(description && { description }),
  schema,
})

const FORMAT = { ...inPath('format', { type: 'string', enum: FORMATS }), description: 'Kind of feed.' }

const FILTERS = Object.entries(eventFilters).map(([name, schema]) =>
  parameter('query', name, schema as TSchema, false, new Map()),
)

const content = Object.fromEntries(
  Object.entries(CONTENT_TYPES).map(([format, type]) => [
    type.split(';')[0],
    { schema: { type: format === 'json' ? 'object' : 'string' } },
  ]),
)

const responses = (...more: [number, Json][]): Record<string, Json> => ({
  200: { description: 'The feed. The same bytes as long as nothing in it has changed.', content },
  304: NOT_MODIFIED,
  ...Object.fromEntries(more),
})

const SHORT: Record<string, Format> = { rss: 'rss', feed: 'rss', atom: 'atom', ics: 'ics', ical: 'ics' }

/** One static route per format: a path parameter costs more than the rest of a 304 response. */
const eventsRoute = (format: Format) =>
  protocol(
    {
      name: 'readFeed',
      summary: 'Subscribe to events',
      description:
        'As a calendar, RSS, Atom or JSON Feed, with the filters of `GET /v1/events` and the same events. Without any filter: all events from 90 days ago on, those that were cancelled too. At most 1,000.',
      shownAs: '/feeds/events.{format}',
      parameters: [FORMAT, ...FILTERS],
      responses: responses([404, refused('not_found')]),
    },
    eventsSender(format),
    OPEN,
  )

/** Open to any origin: the address is the only credential. */
const feedRoutes = new Elysia({ tags: ['Feeds'] })
  .get('/feeds/events.ics', ...eventsRoute('ics'))
  .get('/feeds/events.rss', ...eventsRoute('rss'))
  .get('/feeds/events.atom', ...eventsRoute('atom'))
  .get('/feeds/events.json', ...eventsRoute('json'))
  .get(
    '/feeds/groups/:file',
    ...protocol(
      {
        name: 'readGroupFeed',
        summary: 'Subscribe to the events of a group',
        shownAs: '/feeds/groups/{slug}.{format}',
        parameters: [
          inPath('slug', { type: 'string' }),
          FORMAT,
          ...FILTERS.filter(({ name }) => name !== 'group'),
        ],
        responses: responses([404, refused('not_found')]),
      },
      sendGroup,
      OPEN,
    ),
  )
  .get(
    '/feeds/me/:file',
    ...protocol(
      {
        name: 'readOwnFeed',
        summary: 'Subscribe to your favorites and RSVPs',
        description:
          'Anyone with the address can read it: `GET /v1/profile/feed-token` returns its token; rotating the token ends the address.',
        shownAs: '/feeds/me/{feedToken}.{format}',
        parameters: [inPath('feedToken', { type: 'string' }), FORMAT],
        responses: responses([404, refused('not_found')]),
      },
      sendOwn,
      OPEN,
    ),
  )
  .get('/rss', ...plain((visit) => toFeed(visit, 'rss'), OPEN))
  .get('/feed', ...plain((visit) => toFeed(visit, 'feed'), OPEN))
  .get('/atom', ...plain((visit) => toFeed(visit, 'atom'), OPEN))
  .get('/ics', ...plain((visit) => toFeed(visit, 'ics'), OPEN))
  .get('/ical', ...plain((visit) => toFeed(visit, 'ical'), OPEN))

const TO_FEED = { 'cache-control': 'public, max-age=86400' }

/** Redirects from addresses people guess; filters are preserved. */
function toFeed(visit: Visit, name: keyof typeof SHORT) {
  const query = queryOf(visit.request.url)
  const location = `/feeds/events.${SHORT[name]}${query && `?${query}`}`
  return respond(visit, 308, null, TO_FEED, { location })
}

export const feedsArea = {
  routes: feedRoutes,
  sweeps: feedSweeps,
}
