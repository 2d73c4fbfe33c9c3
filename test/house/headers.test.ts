import { expect, test } from 'bun:test'
import { call } from '../support/api'
import { makeCaller } from '../support/make'
import { routes } from '../support/routes'

test('every answer carries its id and the security headers, refusals and unknown paths included', async () => {
  const { token } = await makeCaller()
  const asked = [
    ...routes.map(({ method, path }) => ({ method, path })),
    ...['/nowhere', '/v1/nowhere', '/v1', '//', '/v1/me/', '/%00', '/v1/%c0%ae'].map((path) => ({
      method: 'GET',
      path,
    })),
    { method: 'PUT', path: '/v1/me' },
    { method: 'OPTIONS', path: '/v1/me' },
    { method: 'TRACE', path: '/v1/me' },
  ]
  for (const { method, path } of asked)
    for (const options of [{}, { token }]) {
      const { headers, status } = await call(method, path, options)
      const where = `${method} ${path} ${status}`
      expect([where, headers.get('x-request-id')]).toEqual([
        where,
        expect.stringMatching(/^[0-9a-f]{12}-[0-9a-z]+$/),
      ])
      expect([where, headers.get('x-content-type-options')]).toEqual([where, 'nosniff'])
      expect([where, headers.get('referrer-policy')]).toEqual([where, 'no-referrer'])
      expect([where, headers.get('x-frame-options')]).toEqual([where, 'DENY'])
      expect([where, headers.get('content-security-policy')]).toEqual([
        where,
        expect.stringContaining("frame-ancestors 'none'"),
      ])
      if (path.startsWith('/v1/')) {
        for (const name of ['limit', 'remaining', 'reset'])
          expect([where, headers.get(`x-ratelimit-${name}`)]).toEqual([where, expect.stringMatching(/^\d+$/)])
        expect([where, headers.get('access-control-allow-origin')]).toEqual([where, '*'])
      }
      expect([where, status < 500]).toEqual([where, true])
    }
})

test('HEAD answers as GET does, without a body', async () => {
  const { token } = await makeCaller()
  const [get, head] = [await call('GET', '/v1/me', { token }), await call('HEAD', '/v1/me', { token })]
  expect([head.status, head.text]).toEqual([200, ''])
  expect(head.headers.get('etag')).toBe(get.headers.get('etag'))
})

test('a wrong method on a known path, and an unknown path, are the same 404', async () => {
  const [method, path] = [await call('PUT', '/v1/me'), await call('GET', '/v1/nowhere')]
  expect([method.status, path.status]).toEqual([404, 404])
  expect(method.body).toEqual({ error: 'Page not found', code: 'not_found' })
  expect(path.text).toBe(method.text)
})
