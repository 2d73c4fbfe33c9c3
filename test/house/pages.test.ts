import { expect, test } from 'bun:test'
import { app } from '@/app'
import { isPage } from '@/web/page'
import { call } from '../support/api'
import { makeSession, makeUser } from '../support/make'
import { routes } from '../support/routes'

/** A document of another's making, which brings its own look and script, and those that are made for pages of others. */
const FOREIGN = ['GET /docs', 'GET /docs/guides', 'GET /widget/carousel', 'GET /widget/next-event']

test('every answer in HTML comes from a route that is bound by page() or form()', async () => {
  const pages = new Set(
    app.routes.filter(({ handler }) => isPage(handler)).map(({ method, path }) => `${method} ${path}`),
  )
  expect(pages.size).toBeGreaterThan(8)
  const session = await makeSession((await makeUser()).id)
  const local = { 'x-forwarded-for': '127.0.0.1' }
  const unbound = new Set<string>()
  for (const { method, pattern, path } of routes)
    for (const options of [{}, { session }, { headers: local }]) {
      const body = method === 'POST' ? 'a=b' : undefined
      const { headers } = await call(method, path, {
        ...options,
        body,
        headers: {
          ...options.headers,
          ...(body && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
      })
      const name = `${method} ${pattern}`
      if (headers.get('content-type')?.startsWith('text/html') && !pages.has(name)) unbound.add(name)
    }
  expect([...unbound].sort()).toEqual(FOREIGN)
})
