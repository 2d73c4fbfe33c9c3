import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { app } from '@/app'
import { isPage } from '@/web/page'
import { call } from '../support/api'
import { makeSession, makeUser } from '../support/make'
import { routes } from '../support/routes'

/** A document of another's making, which brings its own look and script, and those that are made for pages of others. */
const FOREIGN = ['GET /docs', 'GET /docs/guides', 'GET /widget/carousel', 'GET /widget/next-event']

test('every HTML response comes from a route bound by page() or form()', async () => {
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

/** The colours of mails, numbered colours, and documents that bring their own style. */
const UNSTYLED = ['ground', 'guide', 'hue', 'line', 'paper']

test('every class in markup has a style rule', () => {
  const root = join(import.meta.dir, '../..')
  const textOf = (pattern: string) =>
    [...new Glob(pattern).scanSync(root)].map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
  const styled = new Set([...textOf('src/**/*.css').matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name))
  const used = [...textOf('src/**/*.ts').matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) =>
    names
      .replace(/\$\{[^}]*\}/g, ' ')
      .split(/\s+/)
      .filter((name) => /^[a-z][\w-]*$/.test(name)),
  )
  expect(used.length).toBeGreaterThan(100)
  expect([...new Set(used)].filter((name) => !styled.has(name)).sort()).toEqual(UNSTYLED)
})
