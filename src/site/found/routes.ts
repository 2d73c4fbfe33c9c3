import { Elysia } from 'elysia'
import { config } from '@/config/config'
import { iso } from '@/core/shapes'
import { type CachedBody, cachedBody, knownTag, respondCached } from '@/http/encodings'
import { plain } from '@/http/protocol'
import { respond } from '@/http/respond'
import { OPEN } from '@/http/route-traits'
import type { Visit } from '@/http/visit'
import { listGroupAddresses } from '@/modules/community/groups/addresses-queries'
import { listEventAddresses } from '@/modules/gatherings/events/addresses-queries'
import { groupToInvalidate } from '@/modules/gatherings/events/cache'
import { cache } from '@/outbox/cache'
import { readPublic } from '@/outbox/replicas'
import { html } from '@/web/html'
import { sendPreview } from '../previews/preview'
import { sendIcon } from './icons'
import { MANIFEST_PATH, sendManifest } from './manifest'

/** A sitemap holds at most 50,000 addresses. People are omitted for privacy. */
const EVENTS_MAX = 40_000
const GROUPS_MAX = 9_000
const HOUR_MS = 3_600_000
const PAGES = ['/', '/events', '/groups', '/people', '/badges', '/leaderboard', '/about']

const HEADERS = {
  'content-type': 'application/xml; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  vary: 'Accept-Encoding',
}

const sitemaps = cache<CachedBody>({
  max: 1,
  maxAgeMs: HOUR_MS,
  load: async () => cachedBody(new TextEncoder().encode(await write())),
  drops: (message, drop) => {
    if (message.type === 'group.created' || groupToInvalidate(message) !== undefined) drop.all()
  },
})

async function sendSitemap(visit: Visit): Promise<Response> {
  const body = await sitemaps.get('all')
  const known = visit.request.headers.get('if-none-match')
  const etag = known === null ? undefined : knownTag(known, body.etag)
  return etag === undefined
    ? respondCached(visit, body, HEADERS)
    : respond(visit, 304, null, HEADERS, { etag })
}

async function write(): Promise<string> {
  const [events, groups] = [
    await readPublic((db) => listEventAddresses(db, EVENTS_MAX)),
    await readPublic((db) => listGroupAddresses(db, GROUPS_MAX)),
  ]
  return html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${PAGES.map((path) => entry(path))}${groups.map(({ urlname, updatedAt }) => entry(`/groups/${urlname}`, updatedAt))}${events.map(({ id, updatedAt }) => entry(`/events/${id}`, updatedAt))}</urlset>
`.text
}

const entry = (path: string, changedAt?: Date) =>
  html`<url><loc>${config.baseUrl}${path}</loc>${changedAt && html`<lastmod>${iso(changedAt)}</lastmod>`}</url>\n`

/** Routes for search engines and link previews. */
export const foundRoutes = new Elysia()
  .get('/sitemap.xml', ...plain(sendSitemap, OPEN))
  .get(MANIFEST_PATH, ...plain(sendManifest, OPEN))
  .get('/icons/:name', ...plain(sendIcon, OPEN))
  .get('/events/:eventId/preview.png', ...plain(sendPreview, OPEN))
