import { expect, test } from 'bun:test'
import { app } from '@/app'

test('no route is awaited by the framework before it answers: that would cost every request a promise', () => {
  app.compile()
  const awaited = app.router.history.filter((route) => String(route.compile()).startsWith('async'))
  expect(awaited.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  expect(app.router.history.length).toBeGreaterThan(100)
})
