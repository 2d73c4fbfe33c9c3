import { describe, expect, test } from 'bun:test'
import { get, patch, post } from '../support/api'
import { makeCaller, makeEvent, makeGroup } from '../support/make'

describe('what the path says', () => {
  test('is not overridden by the query', async () => {
    const { token } = await makeCaller(['read:events'])
    const group = await makeGroup()
    const [named, other] = [await makeEvent(group.id), await makeEvent(group.id)]
    const { body } = await get(`/v1/events/${named.id}?eventId=${other.id}`, { token })
    expect(body.data.id).toBe(named.id)
  })

  test('is not overridden by the body', async () => {
    const { token } = await makeCaller(['write:portfolio'])
    const add = async (title: string) =>
      (await post('/v1/profile/portfolio', { token, json: { title } })).body.data.id as string
    const [named, other] = [await add('named'), await add('other')]
    const changed = await patch(`/v1/profile/portfolio/${named}`, { token, json: { id: other, title: 'x' } })
    expect([changed.status, changed.body.data.id]).toEqual([200, named])
    const { body } = await get('/v1/profile/portfolio', { token })
    expect(body.data.map(({ id, title }: { id: string; title: string }) => [id, title])).toEqual([
      [named, 'x'],
      [other, 'other'],
    ])
  })
})

test('the query of a request with a body is not read', async () => {
  const { token } = await makeCaller(['write:portfolio'])
  const json = { title: 'from the body' }
  const address = '/v1/profile/portfolio?title=from-the-query&description=added&url=x&url=y'
  const { body } = await post(address, { token, json })
  expect([body.data.title, body.data.description]).toEqual(['from the body', null])
  const empty = await post('/v1/profile/portfolio?title=from-the-query', { token, json: {} })
  expect([empty.status, empty.body.code]).toEqual([400, 'validation_error'])
})

test('a field of the query may be given once', async () => {
  const { token } = await makeCaller(['read:events'])
  for (const query of ['limit=1&limit=2', 'search=a&search=a', 'status=all&limit=1&status=past']) {
    const { status, body } = await get(`/v1/events?${query}`, { token })
    expect([query, status, body.code]).toEqual([query, 400, 'validation_error'])
  }
  expect((await get('/v1/events?unknown=1&unknown=2', { token })).status).toBe(200)
})

describe('a name must be seen', () => {
  const INVISIBLE = [
    '\u200b',
    '\u2060\u200d',
    '\u3164',
    '\u2800 \u2800',
    '\u00ad',
    '\u{e0020}',
    '\u00a0\ufe0f',
  ]

  test.each(INVISIBLE)('%j is refused', async (name) => {
    const { token } = await makeCaller(['user', 'write:portfolio'])
    for (const { status, body } of [
      await patch('/v1/profile', { token, json: { name } }),
      await post('/v1/profile/portfolio', { token, json: { title: name } }),
    ]) {
      expect([status, body.code]).toEqual([400, 'validation_error'])
      expect(body.error).toMatch(/(must hold a visible character|must be 1 to)/)
    }
    // What may be empty may look empty.
    expect((await patch('/v1/profile', { token, json: { bio: name } })).status).toBe(200)
  })

  test.each(['👩‍💻', 'می‌خواهم', 'ᅟ가', '\uf8ff', '⠓⠊'])('%j is one', async (name) => {
    const { token } = await makeCaller(['user'])
    expect((await patch('/v1/profile', { token, json: { name } })).body.data.name).toBe(name.normalize('NFC'))
  })
})
