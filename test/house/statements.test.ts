import { afterAll, expect, test } from 'bun:test'
import type { TObject } from '@sinclair/typebox'
import { gte, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { isNamed, namedTexts } from '@/db/statement-names'
import { achievements } from '@/db/tables/achievements'
import { badges } from '@/db/tables/badges'
import { call } from '../support/api'
import { apiRoutes } from '../support/routes'
import { isWhole } from '../support/sampling'
import { inputWith, optionalFields } from '../support/shapes'
import { makeWorld } from '../support/world'

/** Connections keep what they have prepared: however many shapes of one request add nothing to it. */
const SHAPES = isWhole ? 40 : 12

/** What a rare case, another order of a list or the server itself says for the first time. A text per shape is dozens. */
const BY_CHANCE = 2

/** Some requests make things, of which a person may have so many. */
const worldLasts = (method: string) => (method === 'POST' ? 15 : 800)

/** Sends to addresses, which is another test's. */
const LEFT_OUT = ['/v1/developer/webhooks/:id/test']

// Others look at whole lists of these.
const startedAt = new Date()
afterAll(async () => {
  await db.delete(achievements).where(gte(achievements.createdAt, startedAt))
  await db.delete(badges).where(gte(badges.createdAt, startedAt))
})

for (const { method, pattern, binding } of apiRoutes) {
  const input = binding?.action.input as TObject
  const fields = optionalFields(input)
  const hasLists = Object.values(input.properties).some(({ type }) => type === 'array')
  if ((fields.length < 2 && !hasLists) || LEFT_OUT.includes(pattern)) continue

  test(`${method} ${pattern}: any request shape uses the same statements`, async () => {
    const inPath = Object.fromEntries([...pattern.matchAll(/:(\w+)/g)].map(([, name]) => [name, true]))
    let [world, asked, accepted] = [await makeWorld(), 0, 0]
    const ask = async (wanted: string[], count: number) => {
      asked += 1
      if (asked % worldLasts(method) === 0) world = await makeWorld()
      const { token } = world
      const values = inputWith(input, wanted, count, inPath)
      const query = new URLSearchParams(
        Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
      )
      const { status, text } =
        method === 'GET'
          ? await call(method, `${world.path(pattern)}?${query}`, { token })
          : await call(method, world.path(pattern), { token, json: values })
      expect([status < 500, text]).toEqual([true, text])
      if (status < 300) accepted += 1
    }
    for (let count = 0; count < 4; count += 1) {
      await ask([], count)
      await ask(fields, count)
    }
    for (const field of fields) await ask([field], 1)
    const before = new Set(namedTexts())
    for (let shape = 0; shape < SHAPES; shape += 1)
      await ask(
        fields.filter((_, i) => ((shape + 1) * 7919 * (i + 3)) % 101 < 50),
        shape,
      )
    const added = [...namedTexts()].filter((text) => !before.has(text))
    expect([added, added.length <= BY_CHANCE]).toEqual([added, true])
    // A shape that is refused proves nothing.
    expect(accepted).toBeGreaterThan(asked / 2)
  })
}

test('connections prepare only statements of the closed set', async () => {
  for (let i = 0; i < 5; i += 1) {
    const prepared = await db.execute<{ statement: string }>(
      sql`select statement from pg_prepared_statements where statement like '%$1%'`,
    )
    expect(prepared.map(({ statement }) => statement).filter((text) => !namedTexts().has(text))).toEqual([])
  }
})

test('a statement with a thousand variants gets only a few names', () => {
  const texts = Array.from({ length: 1000 }, (_, i) => `select 1 where 'x' in ($1${', $1'.repeat(i)})`)
  const updates = Array.from({ length: 1000 }, (_, i) => `update "nowhere" set "column${i}" = $1`)
  for (const many of [texts, updates]) {
    const named = many.filter(isNamed)
    expect(named.length).toBeLessThan(50)
    // Who has one keeps it.
    expect(many.filter(isNamed)).toEqual(named)
  }
  expect(isNamed('select 2 where $1')).toBe(true)
})
