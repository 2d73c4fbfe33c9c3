import { expect, test } from 'bun:test'
import { get, post } from '../support/api'
import { makeCaller } from '../support/make'

const PATH = '/v1/profile/portfolio'

async function makeShelf(count: number) {
  const { token } = await makeCaller(['write:portfolio'])
  for (let i = 0; i < count; i += 1) await post(PATH, { token, json: { title: `item ${i}`, sortOrder: i } })
  return async (query: string) => {
    const { body } = await get(`${PATH}?${query}`, { token })
    return {
      titles: body.data.map(({ title }: { title: string }) => title),
      hasMore: body.pagination.hasMore as boolean,
      next: body.pagination.nextCursor as string | undefined,
      previous: body.pagination.prevCursor as string | undefined,
    }
  }
}

test('a page that holds all there is leads nowhere, full or not', async () => {
  const page = await makeShelf(4)
  for (const limit of [4, 5, 100]) {
    const { titles, hasMore, next } = await page(`limit=${limit}`)
    expect([limit, titles.length, hasMore, next]).toEqual([limit, 4, false, undefined])
  }
})

test('the last page knows that it is the last, and the way back leads to the first', async () => {
  const page = await makeShelf(4)
  const first = await page('limit=2')
  expect([first.titles, first.hasMore, first.previous]).toEqual([['item 0', 'item 1'], true, undefined])
  const last = await page(`limit=2&cursor=${first.next}`)
  expect([last.titles, last.hasMore, last.next]).toEqual([['item 2', 'item 3'], false, undefined])
  const back = await page(`limit=2&before=${last.previous}`)
  expect([back.titles, back.hasMore, back.previous]).toEqual([['item 0', 'item 1'], true, undefined])
})

test('by offset it is the same', async () => {
  const page = await makeShelf(4)
  const [middle, last, beyond] = [
    await page('limit=2&offset=1'),
    await page('limit=2&offset=2'),
    await page('limit=2&offset=4'),
  ]
  expect([middle.titles, middle.hasMore]).toEqual([['item 1', 'item 2'], true])
  expect([last.titles, last.hasMore]).toEqual([['item 2', 'item 3'], false])
  expect([beyond.titles, beyond.hasMore]).toEqual([[], false])
})

test('a forged cursor is refused', async () => {
  const { token } = await makeCaller(['write:portfolio'])
  for (let i = 0; i < 3; i += 1) await post(PATH, { token, json: { title: `item ${i}`, sortOrder: i } })
  const cursor = (await get(`${PATH}?limit=1`, { token })).body.pagination.nextCursor as string
  const [body = '', seal = ''] = cursor.split('.')
  const values = JSON.parse(Buffer.from(body, 'base64url').toString()) as unknown[]
  const sealedAs = (other: unknown) => `${Buffer.from(JSON.stringify(other)).toString('base64url')}.${seal}`
  const flipped = `${body}.${seal.slice(0, -1)}${seal.endsWith('A') ? 'B' : 'A'}`
  for (const forged of [sealedAs([7, ...values.slice(1)]), sealedAs([]), flipped, `${body}.`, body])
    for (const way of ['cursor', 'before']) {
      const answer = await get(`${PATH}?limit=1&${way}=${encodeURIComponent(forged)}`, { token })
      expect([forged, answer.status, answer.body.code]).toEqual([forged, 400, 'bad_request'])
    }
  expect((await get(`${PATH}?limit=1&cursor=${cursor}`, { token })).status).toBe(200)
})
