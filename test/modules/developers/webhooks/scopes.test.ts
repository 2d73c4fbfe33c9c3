import { expect, test } from 'bun:test'
import { call, patch, post } from '../../../support/api'
import { makeCaller, makeToken } from '../../../support/make'
import { apiRoutes } from '../../../support/routes'

const PATH = '/v1/developer/webhooks'
const url = 'http://127.0.0.1:9/hook'

/** What only takes away from a webhook, which needs no more than the right to manage them. */
const ENDING = ['DELETE /v1/developer/webhooks/:id']

const routes = apiRoutes.filter(({ pattern }) => pattern.startsWith(`${PATH}/:id`))

test('whatever is done with a webhook needs the scopes that it has', async () => {
  expect(routes.length).toBeGreaterThan(5)
  const { token, user } = await makeCaller(['read:events', 'developer'])
  const { id } = (await post(PATH, { token, json: { url } })).body.data
  const weak = await makeToken(user.id, ['developer'])
  const answers: Record<string, unknown> = {}
  for (const { method, pattern } of routes) {
    const path = pattern.replace(':id', id).replace(':messageId', id)
    const json = method === 'GET' || method === 'DELETE' ? undefined : { eventTypes: ['*'] }
    if (ENDING.includes(`${method} ${pattern}`)) continue
    const { status, body, headers } = await call(method, path, { token: weak.token, json })
    answers[`${method} ${pattern}`] = [status, body.code, headers.get('www-authenticate')]
  }
  const refusal = [403, 'insufficient_scope', 'Bearer error="insufficient_scope", scope="read:events"']
  expect(new Set(Object.values(answers).map(String))).toEqual(new Set([String(refusal)]))
})

test('who may not hear a webhook may still end it, and not begin it again', async () => {
  const { token, user } = await makeCaller(['read:events', 'developer'])
  const { id } = (await post(PATH, { token, json: { url } })).body.data
  const weak = await makeToken(user.id, ['developer'])
  const change = async (json: object, by = weak.token) =>
    (await patch(`${PATH}/${id}`, { token: by, json })).status
  expect(await change({ isActive: false, url: 'http://127.0.0.1:9/elsewhere' })).toBe(403)
  expect(await change({ isActive: false })).toBe(200)
  expect(await change({ isActive: true })).toBe(403)
  expect(await change({ isActive: true }, token)).toBe(200)
  expect((await call('DELETE', `${PATH}/${id}`, { token: weak.token })).status).toBe(200)
})
