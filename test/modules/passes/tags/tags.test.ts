import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import ndef from 'ndef'
import { config } from '@/config/config'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { auditLog } from '@/db/tables/administration'
import { users } from '@/db/tables/users'
import { transaction } from '@/db/transaction'
import { endPassesOf } from '@/modules/account/privacy/erase'
import { apiUrl, get, type Json, post } from '../../../support/api'
import { makeAdmin, makeCaller } from '../../../support/make'
import { later } from '../../../support/time'
import { makeDesign } from '../fixtures'

const PATH = '/v1/admin/meetpass/tags'
const ID = /^[2-9a-hjkmnp-z]{16}$/

const mint = async (token: string, json: object) => {
  const { status, body } = await post(PATH, { token, json })
  expect(status).toBe(201)
  return body.data
}

/** The file behind a signed address, fetched by somebody without a credential. */
const fetched = (url: string) => get(new URL(url).pathname, { base: apiUrl() })

const rowsOf = (csv: string) =>
  csv
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))

describe('minting', () => {
  test('gives blank tags with the bytes to write, which say the address', async () => {
    const { token } = await makeAdmin()
    const design = await makeDesign()
    const { tags, csv } = await mint(token, { count: 3, designId: design.id })
    expect(tags).toHaveLength(3)
    expect(new Set(tags.map(({ id }: Json) => id)).size).toBe(3)
    for (const { id, url, ndefHex } of tags) {
      expect(id).toMatch(ID)
      expect(url).toBe(`${config.baseUrl}/pass/${id}`)
      const [record] = ndef.decodeMessage([...Buffer.from(ndefHex, 'hex')])
      expect(ndef.uri.decodePayload(record?.payload ?? [])).toBe(url)
      const bytes = await fetch(`${apiUrl()}/pass/${id}/ndef`).then((answer) => answer.arrayBuffer())
      expect(Buffer.from(bytes).toString('hex')).toBe(ndefHex)
    }
    expect(Date.parse(csv.expiresAt)).toBeGreaterThan(Date.now())

    const person = await makeCaller(['write:meetpass'])
    const claimed = await post(`/v1/meetpass/${tags[0].id}/claim`, { token: person.token })
    expect([claimed.status, claimed.body.data.designId]).toEqual([200, design.id])
  })

  test('a thousand at once is one statement’s work', async () => {
    const { token } = await makeAdmin()
    const { tags, csv } = await mint(token, { count: 1000 })
    expect(new Set(tags.map(({ id }: Json) => id)).size).toBe(1000)
    expect(rowsOf((await fetched(csv.url)).text)).toHaveLength(1001)
  })

  test.each([
    ['count', {}],
    ['count', { count: 0 }],
    ['count', { count: 1001 }],
    ['count', { count: 1.5 }],
    ['count', { count: '5' }],
    ['count', { count: null }],
    ['designId', { count: 1, designId: 'no-such-design' }],
    ['designId', { count: 1, designId: 7 }],
  ])('refuses a %s that makes no sense: %j', async (field, json) => {
    const { token } = await makeAdmin()
    const { status, body } = await post(PATH, { token, json })
    expect([status, body.code]).toEqual([400, 'validation_error'])
    expect(body.error).toStartWith(`${field} `)
  })

  test('is written down without the ids, and once for the same key', async () => {
    const { token, user } = await makeAdmin()
    const headers = { 'idempotency-key': newId() }
    const first = await post(PATH, { token, headers, json: { count: 2 } })
    expect((await post(PATH, { token, headers, json: { count: 2 } })).status).toBe(409)
    const entries = await db.select().from(auditLog).where(eq(auditLog.actorId, user.id))
    expect(entries.map(({ action, changes }) => ({ action, changes }))).toEqual([
      { action: 'tags.mint', changes: { count: 2, designId: null } },
    ])
    expect(JSON.stringify(entries)).not.toContain(first.body.data.tags[0].id)
  })
})

describe('the file of an order', () => {
  test('holds its tags and no others, as writers of tags read them', async () => {
    const { token } = await makeAdmin()
    const orders = await Promise.all(Array.from({ length: 6 }, () => mint(token, { count: 4 })))
    for (const { tags, csv } of orders) {
      const answer = await fetched(csv.url)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(answer.headers.get('content-disposition')).toMatch(
        /^attachment; filename="tags-\d{4}-\d\d-\d\d\.csv"/,
      )
      const [head, ...rows] = rowsOf(answer.text)
      expect(head).toEqual(['id', 'code', 'url', 'ndefHex'])
      expect(rows).toEqual(
        tags.map(({ id, url, ndefHex }: Json) => [
          id,
          (id.toUpperCase().match(/.{4}/g) as string[]).join('-'),
          url,
          ndefHex,
        ]),
      )
    }
  })

  test('ends after ten minutes, and with its maker’s role', async () => {
    const { token, user } = await makeAdmin()
    const { csv } = await mint(token, { count: 1 })
    expect((await later(11 * 60_000, () => fetched(csv.url))).status).toBe(410)
    await db.update(users).set({ role: 'user' }).where(eq(users.id, user.id))
    expect((await fetched(csv.url)).status).toBe(404)
    expect((await fetched(`${csv.url}x`)).status).toBe(404)
  })
})

describe('the list of tags', () => {
  test('has the newest first, in pages, and tells the claimed from the others', async () => {
    const { token } = await makeAdmin()
    const { tags } = await mint(token, { count: 5 })
    const person = await makeCaller(['write:meetpass'])
    const [blank, claimed, ended] = tags.map(({ id }: Json) => id)
    for (const [id, who] of [
      [claimed, person],
      [ended, await makeCaller(['write:meetpass'])],
    ] as const) {
      expect((await post(`/v1/meetpass/${id}/claim`, { token: who.token })).status).toBe(200)
      if (id === ended) await transaction((tx) => endPassesOf(tx, who.user.id))
    }
    const list = async (query: string) => {
      const found: Json[] = []
      for (let cursor = ''; found.length < 40; ) {
        const { status, body } = await get(`${PATH}?limit=3${query}${cursor}`, { token })
        expect(status).toBe(200)
        found.push(...body.data)
        if (!body.pagination.hasMore) break
        cursor = `&cursor=${body.pagination.nextCursor}`
      }
      return found.filter(({ id }) => tags.some((tag: Json) => tag.id === id))
    }
    const all = await list('')
    expect(all.map(({ id }) => id)).toEqual(tags.map(({ id }: Json) => id).reverse())
    expect((await list('&claimed=true')).map(({ id }) => id).sort()).toEqual([claimed, ended].sort())
    expect((await list('&claimed=false')).map(({ id }) => id)).toContain(blank)
    expect(await list('&claimed=false')).toHaveLength(3)
    const states = new Map(all.map((tag) => [tag.id, [tag.claimed, tag.isActive]]))
    expect([blank, claimed, ended].map((id) => states.get(id))).toEqual([
      [false, true],
      [true, true],
      [true, false],
    ])
    // Who has a tag is nobody else's business, and a cursor belongs to its filter.
    expect(JSON.stringify(all)).not.toContain(person.user.id)
    const first = await get(`${PATH}?limit=1`, { token })
    const foreign = await get(`${PATH}?limit=1&claimed=true&cursor=${first.body.pagination.nextCursor}`, {
      token,
    })
    expect(foreign.status).toBe(400)
    expect((await get(`${PATH}?claimed=maybe`, { token })).status).toBe(400)
    const total = async (query: string) =>
      (await get(`${PATH}?limit=1${query}`, { token })).body.pagination.total as number
    const before = await total('')
    expect(before).toBe((await total('&claimed=true')) + (await total('&claimed=false')))
    expect(await total('&claimed=true')).toBeGreaterThanOrEqual(2)
    expect(await total('&claimed=false')).toBeGreaterThanOrEqual(3)
  })
})
