import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import postgres from 'postgres'
import { listeners, pictures } from '@/areas'
import { DAY_MS } from '@/core/clock'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { db, type Tx } from '@/db/client'
import { uploads } from '@/db/tables/uploads'
import { users } from '@/db/tables/users'
import { noteUnused, removeUnused } from '@/modules/people/uploads/uses/unused'
import { type Answer, del, get, patch, post } from '../support/api'
import { countDeadlocks } from '../support/deadlocks'
import { drain } from '../support/drain'
import { makeCaller, makeEvent, makeGroup } from '../support/make'
import { makeUpload } from '../support/make-upload'
import { until } from '../support/processes'
import { later } from '../support/time'

const waiting = async () =>
  (
    await db.execute<{ count: number }>(sql`select count(*)::int from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
  )[0]?.count as number

class Undone extends Error {}

/** Does something while a change that shows a picture has looked at it and is not written yet: it waits for a username. */
async function whileShowing(
  { token, url }: { token: string; url: string },
  work: (tx: Tx) => Promise<unknown>,
): Promise<Answer> {
  const username = `taken-${randomHex(6)}`
  const answer = Promise.withResolvers<Answer>()
  await db
    .transaction(async (tx) => {
      await tx.insert(users).values({ id: newId(), name: 'Somebody', username })
      patch('/v1/profile', { token, json: { username, avatarUrl: url } }).then(answer.resolve, answer.reject)
      await until('the change waits', async () => (await waiting()) === 1)
      await work(tx)
      throw new Undone()
    })
    .catch((error) => {
      if (!(error instanceof Undone)) throw error
    })
  return answer.promise
}

/** The change as it would be without holding the picture. */
async function showWithoutHolding(
  userId: string,
  upload: { id: string; url: string },
  work: () => Promise<unknown>,
) {
  await db.transaction(async (tx) => {
    const [found] = await tx.select().from(uploads).where(eq(uploads.id, upload.id))
    expect(found?.state).toBe('ready')
    await work()
    await tx.update(users).set({ avatarUrl: upload.url }).where(eq(users.id, userId))
  })
}

async function makePicture() {
  const { user, token } = await makeCaller(['user', 'write:uploads'])
  const upload = await makeUpload(user.id)
  return { user, token, upload, url: upload.url }
}

async function makeUnused() {
  const made = await makePicture()
  await noteUnused(pictures)
  return made
}

const sweep = () => later(DAY_MS + 1000, () => removeUnused(pictures))

/** Whether what a profile shows is there. */
async function isWhole(token: string): Promise<boolean> {
  const { avatarUrl } = (await get('/v1/profile', { token })).body.data
  if (avatarUrl === null) return true
  const [row] = await db.select().from(uploads).where(sql`${avatarUrl}::text like '%' || ${uploads.key}`)
  return row?.state === 'ready'
}

describe('a picture that comes into use at the moment', () => {
  test('at which the sweep finds it unused stays', async () => {
    const made = await makeUnused()
    const { status, body } = await whileShowing(made, sweep)
    expect([status, body.data.avatarUrl]).toEqual([200, made.url])
    expect(await isWhole(made.token)).toBe(true)
    await sweep()
    await drain(listeners)
    expect((await get('/v1/profile', made)).body.data.avatarUrl).toBe(made.url)
  })

  test('at which it is deleted is shown, and taken away again', async () => {
    const made = await makePicture()
    const deleted = Promise.withResolvers<Answer>()
    const { status } = await whileShowing(made, async () => {
      del(`/v1/uploads/${made.upload.key}`, made).then(deleted.resolve, deleted.reject)
      await until('the deletion waits for the change', async () => (await waiting()) === 2)
    })
    expect([status, (await deleted.promise).status]).toEqual([200, 200])
    await drain(listeners)
    expect((await get('/v1/profile', made)).body.data.avatarUrl).toBeNull()
  })

  test('control: a change that does not hold it shows a picture that is gone', async () => {
    const made = await makeUnused()
    await showWithoutHolding(made.user.id, made.upload, async () => {
      await sweep()
      await drain(listeners)
    })
    const [row] = await db.select().from(uploads).where(eq(uploads.id, made.upload.id))
    expect(row?.state).not.toBe('ready')
    expect(await isWhole(made.token)).toBe(false)
  })
})

test('concurrent use, copy, deletion and sweep of pictures do not deadlock', async () => {
  const client = postgres(process.env.DATABASE_URL as string, { max: 1, onnotice: () => {} })
  const before = await countDeadlocks(client)
  const { user, token } = await makeCaller([
    'user',
    'write:uploads',
    'manage:groups',
    'manage:events',
    'developer',
  ])
  for (let round = 0; round < 6; round += 1) {
    const group = await makeGroup({}, user.id)
    const event = await makeEvent(group.id)
    const app = await post('/v1/developer/apps', {
      token,
      json: { name: 'App', redirectUris: ['https://a.example/b'] },
    })
    const { clientId } = app.body.data
    const sent = await Promise.all(
      (['group-photo', 'hero', 'event-photo', 'app-logo'] as const).map((category) =>
        makeUpload(user.id, { category }),
      ),
    )
    const groupPath = `/v1/manage/groups/${group.id}`
    const [photo, hero, eventPhoto, logo] = sent.map(({ url }) => url) as [string, string, string, string]
    const asked = [
      ...[1, 2, 3].flatMap(() => [
        patch('/v1/profile', { token, json: { heroImageUrl: hero } }),
        patch(groupPath, { token, json: { photoUrl: photo, heroImageUrl: hero } }),
        patch(`${groupPath}/events/${event.id}`, { token, json: { photoUrl: eventPhoto } }),
        patch(`/v1/developer/apps/${clientId}`, { token, json: { logoUri: logo } }),
      ]),
      del(`${groupPath}?confirm=${group.urlname}`, { token }),
      del(`/v1/developer/apps/${clientId}`, { token }),
      ...sent.map(({ key }) => del(`/v1/uploads/${key}`, { token })),
    ]
    await Promise.all([drain(listeners), noteUnused(pictures), sweep()])
    const statuses = new Set((await Promise.all(asked)).map(({ status }) => status))
    expect([...statuses].filter((status) => ![200, 204, 400, 404].includes(status))).toEqual([])
    await drain(listeners)
    expect((await get('/v1/profile', { token })).body.data).toMatchObject({
      avatarUrl: null,
      heroImageUrl: null,
    })
  }
  expect(await countDeadlocks(client)).toBe(before)
  await client.end()
})
