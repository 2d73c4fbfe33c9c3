import { config } from '@/config/config'
import { respondTagged, tagged } from '@/http/respond'
import type { Visit } from '@/http/visit'

/**
 * Closed to robots: the API except pictures, forms, and private addresses. Feeds stay open, even personal ones: Google Calendar
 * does not fetch addresses closed to robots.
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

// The exception comes first: old robots use the first match, RFC 9309 the longest.
const LINES = ['User-agent: *', 'Allow: /v1/uploads/file/', ...CLOSED.map((path) => `Disallow: ${path}`)]

const SITEMAP = `Sitemap: ${config.baseUrl}/sitemap.xml`

const ROBOTS = tagged(`${[...LINES, '', SITEMAP].join('\n')}\n`)
const HEADERS = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' }

export const robots = (visit: Visit) => respondTagged(visit, ROBOTS, HEADERS)
