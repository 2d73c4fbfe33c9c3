import { expect, test } from 'bun:test'
import { call, get } from '../support/api'
import { routes } from '../support/routes'

type Rule = { allow: boolean; path: string }

const rulesOf = (text: string): Rule[] =>
  [...text.matchAll(/^(Allow|Disallow): (\S+)$/gm)].map(([, kind, path]) => ({
    allow: kind === 'Allow',
    path: path as string,
  }))

/** RFC 9309: the longest rule decides. Robots before it: the first that matches. Both must come to the same. */
function mayVisit(rules: Rule[], path: string): boolean {
  const matching = rules.filter((rule) => path.startsWith(rule.path))
  const longest = matching.toSorted((a, b) => b.path.length - a.path.length)[0]
  expect([path, matching[0]?.allow]).toEqual([path, longest?.allow])
  return longest?.allow ?? true
}

test('robots.txt excludes useless addresses and is cacheable', async () => {
  const { status, headers, text } = await get('/robots.txt')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(text).toMatch(
    /^User-agent: \*\n((Allow|Disallow): \/\S*\n)+\nSitemap: http:\/\/localhost\/sitemap\.xml\n$/,
  )
  const etag = headers.get('etag') as string
  expect((await get('/robots.txt', { headers: { 'if-none-match': etag } })).status).toBe(304)
  const head = await call('HEAD', '/robots.txt')
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', `${text.length}`])
})

test('feeds, widgets, documents and public pages are open, the rest is not', async () => {
  const rules = rulesOf((await get('/robots.txt')).text)
  const open = [
    ...['/', '/events', '/events/1', '/groups', '/groups/lisbon-rust', '/u/ada', '/people', '/badges/first'],
    ...[
      '/leaderboard',
      '/about',
      '/terms',
      '/privacy',
      '/docs',
      '/schemas/event',
      '/openapi.json',
      '/llms.txt',
    ],
    ...['/feeds/events.ics', '/feeds/groups/lisbon-rust.atom?type=online', '/feeds/me/fm_feed_0.ics', '/rss'],
    ...['/widget/next-event', '/widget/carousel?groups=x', '/widget.js', '/oembed', '/websub'],
    ...['/v1/uploads/file/avatar/1.png', '/assets/styles.css', '/.well-known/oauth-authorization-server'],
  ]
  const closed = [
    ...['/v1/me', '/v1/events', '/v1/uploads', '/mcp', '/oauth/authorize', '/auth/github', '/login?to=/'],
    ...['/settings/applications', '/developer/apps', '/manage/groups', '/admin/users', '/downloads/x'],
    ...[
      '/claim/ABC',
      '/groups/claim/x',
      '/checkin/ABC',
      '/CHECKIN/ABC',
      '/pass/ABC',
      '/PASS/ABC',
      '/uploads/x',
    ],
  ]
  for (const path of open) expect([path, mayVisit(rules, path)]).toEqual([path, true])
  for (const path of closed) expect([path, mayVisit(rules, path)]).toEqual([path, false])
  const seen = routes.filter(({ method, path }) => method === 'GET' && mayVisit(rules, path))
  // Whoever adds an action under a new path decides whether robots have a use for it.
  expect(seen.filter(({ binding }) => binding !== undefined)).toEqual([])
  for (const { path } of routes.filter(({ pattern }) => /^\/(feeds|widget)/.test(pattern)))
    expect([path, mayVisit(rules, path)]).toEqual([path, true])
})
