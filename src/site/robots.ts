import { config } from '@/config/config'
import { respondTagged, tagged } from '@/http/respond'
import type { Visit } from '@/http/visit'

/**
 * What robots have no use for: the API but for its pictures, forms, and addresses that are meant for whoever was given one.
 * Feeds, a person's own too, stay open: Google Calendar does not read an address that is closed to robots.
 */
const CLOSED = [
  '/v1/',
  '/mcp',
  '/oauth/',
  '/auth/',
  '/login',
  '/settings/',
  '/developer/',
  '/manage/',
  '/admin/',
  '/claim/',
  '/groups/claim/',
  '/checkin/',
  '/CHECKIN/',
  '/pass/',
  '/PASS/',
  '/downloads/',
  '/uploads/',
  '/unsubscribe/',
]

// The exception comes first: old robots take the first line that matches, those of RFC 9309 the longest.
const LINES = ['User-agent: *', 'Allow: /v1/uploads/file/', ...CLOSED.map((path) => `Disallow: ${path}`)]

const SITEMAP = `Sitemap: ${config.baseUrl}/sitemap.xml`

const ROBOTS = tagged(`${[...LINES, '', SITEMAP].join('\n')}\n`)
const HEADERS = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' }

export const robots = (visit: Visit) => respondTagged(visit, ROBOTS, HEADERS)
