import { describe, expect, test } from 'bun:test'
import { isScope, SCOPE_NAMES } from '@/core/scopes'
import { call } from '../support/api'
import { BRINGS, expectedAccess } from '../support/contract'
import { makeCaller, makeToken, makeUser } from '../support/make'
import { apiRoutes, FILE_ROUTE, routes } from '../support/routes'

/** Where a client learns how to get a token. */
const METADATA = 'resource_metadata="http://localhost/.well-known/oauth-protected-resource"'

/** The routes that strangers may call. A route is added here on purpose or not at all. */
const PUBLIC = [
  'GET /v1/checkin/:code',
  'GET /v1/claim/:code',
  'GET /v1/groups/claim/:token',
  'GET /v1/public/groups/:slug',
  'GET /v1/public/groups/:slug/next-event',
  'GET /v1/scopes',
]

const ORDINARY = SCOPE_NAMES.filter((name) => name !== 'admin')
const PLAIN = '{"broken'

describe('every /v1 route is guarded or on the public list', () => {
  test('each is bound to an action', () => {
    expect(
      apiRoutes.filter(({ binding }) => !binding).map(({ method, pattern }) => `${method} ${pattern}`),
    ).toEqual([])
    expect(apiRoutes.length).toBeGreaterThan(4)
  })

  test('each requires the access of the contract', () => {
    const found = apiRoutes.map(({ method, pattern, binding }) => [method, pattern, binding?.action.access])
    const told = apiRoutes.map(({ method, pattern }) => [method, pattern, expectedAccess(method, pattern)])
    expect(found).toEqual(told)
  })

  test('only reads use GET', () => {
    const found = apiRoutes.map(({ method, pattern, binding }) => [method, pattern, binding?.action.reads])
    expect(found).toEqual(apiRoutes.map(({ method, pattern }) => [method, pattern, method === 'GET']))
  })

  test('files are public', async () => {
    const file = routes.filter(({ pattern }) => pattern === FILE_ROUTE)
    expect(file.map(({ method, pattern }) => [method, expectedAccess(method, pattern)])).toEqual([
      ['GET', 'none'],
    ])
    expect((await call('GET', file[0]?.path ?? '')).status).toBe(404)
  })

  test('the public list is exact', () => {
    const open = apiRoutes.filter(({ method, pattern }) =>
      ['public', 'none'].includes(expectedAccess(method, pattern) ?? ''),
    )
    expect(open.map(({ method, pattern }) => `${method} ${pattern}`).sort()).toEqual(PUBLIC)
  })

  for (const { method, pattern, path } of apiRoutes) {
    const access = expectedAccess(method, pattern) ?? ''
    if (access === 'public' || access === 'none') continue

    test(`${method} ${pattern} answers anonymous requests with 401 before validating them`, async () => {
      const bodies =
        method === 'GET' || method === 'DELETE' ? [undefined] : [PLAIN, '{}', 'x'.repeat(100_000)]
      for (const body of bodies) {
        const answer = await call(method, path, {
          body,
          headers: body === undefined ? {} : { 'content-type': 'application/json' },
        })
        expect(answer.status).toBe(401)
        expect(answer.headers.get('www-authenticate')).toBe(`Bearer ${METADATA}`)
        expect(answer.body).toEqual({ error: expect.any(String), code: 'unauthorized' })
      }
      const garbage = await call(method, path, { token: 'fm_pat_0000000000000000000000000000000000000000' })
      expect(garbage.status).toBe(401)
      expect(garbage.headers.get('www-authenticate')).toBe(`Bearer error="invalid_token", ${METADATA}`)
    })

    if (isScope(access))
      test(`${method} ${pattern} requires ${access} and names it`, async () => {
        const user = await makeUser()
        const without = ORDINARY.filter((name) => name !== access && !BRINGS[name]?.includes(access))
        const { token } = await makeToken(user.id, without)
        const answer = await call(method, path, { token, body: method === 'GET' ? undefined : PLAIN })
        expect(answer.status).toBe(403)
        expect(answer.headers.get('www-authenticate')).toBe(
          `Bearer error="insufficient_scope", scope="${access}"`,
        )
        expect(answer.body.code).toBe('insufficient_scope')
      })
    else
      test(`${method} ${pattern} requires a session and refuses a bearer token`, async () => {
        const { token } = await makeCaller(ORDINARY)
        const answer = await call(method, path, { token })
        expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
      })

    if (isScope(access))
      test(`${method} ${pattern} requires no more than ${access}`, async () => {
        const role = access === 'admin' ? 'admin' : 'user'
        const { token } = await makeCaller([access], { role })
        // What cannot be read is refused only after whoever sent it was let in.
        const body = method === 'GET' || method === 'DELETE' ? undefined : PLAIN
        const { status, headers } = await call(method, path, {
          token,
          body,
          headers: { 'content-type': 'application/json' },
        })
        expect([status, headers.get('www-authenticate')]).not.toEqual([403, expect.any(String)])
        if (body) expect(status).toBe(400)
      })
  }
})
