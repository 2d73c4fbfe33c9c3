import { afterEach, expect, test } from 'bun:test'
import { db } from '@/db/client'
import { completedBy, completedCounts, countVisible } from '@/modules/recognition/achievements/queries'
import { get } from '../../../support/api'
import { makeAdmin, makeBadge } from '../../../support/make'
import { statementsOf } from '../../../support/statements'
import { change, define, makePerson, revoke, seen, settle, undefineAll } from './fixtures'

afterEach(undefineAll)

test('everyone sees their own progress, in order, in one statement', async () => {
  const [admin, mine, theirs] = [await makeAdmin(), await makePerson(), await makePerson()]
  const last = await define(admin, { sortOrder: 900_001, targetValue: 3 })
  const first = await define(admin, { key: `test-b-${Date.now()}`, sortOrder: 900_000 })
  const before = await define(admin, { key: `test-a-${Date.now()}`, sortOrder: 900_000 })
  await revoke(mine.user.id)
  await settle()
  expect(await seen(mine.token, last.key)).toMatchObject({ currentValue: 1, targetValue: 3 })
  expect(await seen(theirs.token, last.key)).toMatchObject({ currentValue: 0 })
  const { body } = await get('/v1/profile/achievements?limit=1&offset=3', { token: mine.token })
  expect(body.data.slice(-3).map(({ key }: { key: string }) => key)).toEqual([
    before.key,
    first.key,
    last.key,
  ])
  expect(await statementsOf(() => get('/v1/profile/achievements', { token: mine.token }))).toBe(1)
})

test('a hidden one appears only to people who completed it', async () => {
  const [admin, mine, theirs] = [await makeAdmin(), await makePerson(), await makePerson()]
  const { key } = await define(admin, { hidden: true, targetValue: 2 })
  await revoke(mine.user.id)
  await settle()
  const asked = await get('/v1/profile/achievements', { token: mine.token })
  expect(asked.text).not.toContain(key)
  await revoke(mine.user.id)
  await settle()
  expect(await seen(mine.token, key)).toMatchObject({ hidden: true, completedAt: expect.any(String) })
  expect((await get('/v1/profile/achievements', { token: theirs.token })).text).not.toContain(key)
  await change(admin, key, { enabled: false })
  expect(await seen(mine.token, key)).toBeUndefined()
})

test('the hidden badge of an achievement is named to those who hold it', async () => {
  const [admin, mine, theirs] = [await makeAdmin(), await makePerson(), await makePerson()]
  const badge = await makeBadge({ hidden: true })
  const { key } = await define(admin, { targetValue: 1, badgeSlug: badge.slug })
  await revoke(mine.user.id)
  await settle()
  expect(await seen(mine.token, key)).toMatchObject({ badgeSlug: badge.slug })
  expect(await seen(theirs.token, key)).toMatchObject({ badgeSlug: null })
})

test('strangers hear of what was completed, is enabled and is not hidden', async () => {
  const [admin, { user }, other] = [await makeAdmin(), await makePerson(), await makePerson()]
  const total = await countVisible(db)
  const open = await define(admin, { targetValue: 1, icon: '🪁', sortOrder: 2 })
  const earlier = await define(admin, { targetValue: 1, sortOrder: 1 })
  await define(admin, { targetValue: 1, hidden: true })
  const off = await define(admin, { targetValue: 1 })
  await define(admin, { targetValue: 2 })
  await revoke(user.id)
  await settle()
  await change(admin, off.key, { enabled: false })
  expect(await countVisible(db)).toBe(total + 3)
  const completed = await completedBy(db, user.id)
  expect(completed.map(({ key }) => key)).toEqual([earlier.key, open.key])
  expect(completed[1]).toEqual({
    key: open.key,
    name: `Test ${open.key}`,
    description: null,
    icon: '🪁',
    color: null,
    completedAt: expect.any(Date),
  })
  expect(await completedBy(db, other.user.id)).toEqual([])
  expect([...(await completedCounts(db, [user.id, other.user.id]))]).toEqual([[user.id, 2]])
  expect((await completedCounts(db, [])).size).toBe(0)
})
