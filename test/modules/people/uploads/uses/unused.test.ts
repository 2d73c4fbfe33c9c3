import { describe, expect, test } from 'bun:test'
import { eq, getTableName, sql } from 'drizzle-orm'
import { pictures } from '@/areas'
import { DAY_MS } from '@/core/clock'
import { db } from '@/db/client'
import { outbox } from '@/db/tables/outbox'
import { uploads } from '@/db/tables/uploads'
import { noteUnused, removeUnused } from '@/modules/people/uploads/uses/unused'
import { get } from '../../../../support/api'
import { makeUser } from '../../../../support/make'
import { makeUpload } from '../../../../support/make-upload'
import { later } from '../../../../support/time'
import { makeOwner, PLACES, show, showing } from './fixtures'

const HOUR_MS = DAY_MS / 24
const A_DAY_LATER = DAY_MS + 1000

const note = () => noteUnused(pictures)
const sweep = () => removeUnused(pictures)

const stateOf = async ({ id }: { id: string }) =>
  (await db.select({ state: uploads.state }).from(uploads).where(eq(uploads.id, id)))[0]?.state

test('every column that takes addresses of pictures is looked through', async () => {
  const columns = await db.execute<{ name: string }>(sql`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and data_type = 'text'
      and column_name ~ '(avatar|hero|photo|image|model|logo|picture|cover|banner)' order by 1`)
  const looked = pictures.map(({ column }) => `${getTableName(column.table)}.${column.name}`)
  expect(columns.map(({ name }) => name)).toEqual(looked.sort())
})

describe.each(Object.entries(PLACES))('a picture that is %s', (_, place) => {
  test.each(['', '?w=320'])('is in use, also as %j, and is not removed', async (size) => {
    const { owner, upload } = await showing(place)
    expect((await show(owner, place, upload.url + size)).status).toBe(200)
    await note()
    await later(A_DAY_LATER, sweep)
    expect(await stateOf(upload)).toBe('ready')
  })

  if (place.category !== 'media')
    test('is deleted a day after its last use, with a domain event', async () => {
      const { owner, upload } = await showing(place)
      await show(owner, place, null)
      await note()
      await later(DAY_MS - HOUR_MS, async () => {
        await note()
        await sweep()
      })
      expect(await stateOf(upload)).toBe('ready')
      await later(A_DAY_LATER, sweep)
      expect(await stateOf(upload)).toBe('removed')
      const [told] = await db.select().from(outbox).where(sql`payload->>'key' = ${upload.key}`)
      expect(told).toMatchObject({
        type: 'upload.deleted',
        payload: { userId: owner.user.id, key: upload.key },
      })
    })
})

const avatar = PLACES['an avatar'] as (typeof PLACES)[string]

test('a picture that is used again starts a new grace period', async () => {
  const { owner, upload } = await showing(avatar)
  await show(owner, avatar, null)
  await note()
  await later(20 * HOUR_MS, async () => {
    await show(owner, avatar, upload.url)
    await show(owner, avatar, null)
    await note()
  })
  await later(30 * HOUR_MS, sweep)
  expect(await stateOf(upload)).toBe('ready')
  await later(20 * HOUR_MS + A_DAY_LATER, sweep)
  expect(await stateOf(upload)).toBe('removed')
})

test('one that was noted as unused and is shown by then stays, however that came about', async () => {
  const owner = await makeOwner()
  const [noted, swept] = [await makeUpload(owner.user.id), await makeUpload(owner.user.id)]
  await note()
  // Behind the back of the rule, as a restored backup would.
  await db.execute(sql`update users set avatar_url = ${noted.url} where id = ${owner.user.id}`)
  const other = await makeUser({ avatarUrl: `https://before.example/v1/uploads/file/${swept.key}?w=64` })
  await note()
  await later(A_DAY_LATER, sweep)
  expect([await stateOf(noted), await stateOf(swept)]).toEqual(['ready', 'ready'])
  await db.execute(sql`update uploads set unused_since = now() where id = ${swept.id}`)
  await later(A_DAY_LATER, sweep)
  expect(await stateOf(swept)).toBe('ready')
  expect(other.avatarUrl).toContain(swept.key)
})

test('files that are kept for their own sake stay unused as long as their owner likes', async () => {
  const { user, token } = await makeOwner()
  const kept = await makeUpload(user.id, { category: 'media' })
  await note()
  await later(40 * DAY_MS, sweep)
  expect(await stateOf(kept)).toBe('ready')
  const listed = (await get('/v1/uploads', { token })).body.data
  expect(listed.length).toBe(1)
})
