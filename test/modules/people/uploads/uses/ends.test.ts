import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { db } from '@/db/client'
import { outbox } from '@/db/tables/outbox'
import { uploads } from '@/db/tables/uploads'
import { fileName } from '@/modules/people/uploads/key'
import { storage } from '@/outbound/storage/current'
import { del, get, patch } from '../../../../support/api'
import { makeAdmin, makeEvent, makeMember, makeSession } from '../../../../support/make'
import { makeUpload } from '../../../../support/make-upload'
import { makeOwner, type Owner, PLACES, settle, show, showing, shown } from './fixtures'

type Made = Awaited<ReturnType<typeof makeUpload>>

const isStored = async ({ file }: Made) => (await storage.find(fileName(file as string))) !== null
const isKept = async ({ id }: Made) =>
  (await db.select({ state: uploads.state }).from(uploads).where(eq(uploads.id, id)))[0]?.state === 'ready'
const eventsOf = async (type: string, id: string) =>
  (
    await db
      .select({ payload: outbox.payload })
      .from(outbox)
      .where(sql`type = ${type} and payload::text like ${`%${id}%`}`)
  ).map(({ payload }) => payload)

const place = (name: keyof typeof PLACES) => PLACES[name] as (typeof PLACES)[string]
const groupPath = ({ group }: Owner) => `/v1/manage/groups/${group.id}`

describe.each(Object.entries(PLACES))('%s', (_, one) => {
  test('is empty once its owner has deleted the file, and so is every other place that showed it', async () => {
    const { owner, upload } = await showing(one)
    await show(owner, one, `${upload.url}?w=64`)
    const { token } = owner
    expect((await del(`/v1/uploads/${upload.key}`, { token })).status).toBe(200)
    await settle()
    expect(await shown(owner, one)).toBeNull()
    expect(await isStored(upload)).toBe(false)
    expect((await get(`/v1/uploads/file/${upload.key}`)).status).toBe(404)
  })
})

test('caches hear that a picture was taken away', async () => {
  const { owner, upload } = await showing(place('a group photo'))
  const events = `/v1/events/${owner.event.id}`
  const photo = async () => (await get(events, { token: owner.token })).body.data.group.photoUrl
  expect(await photo()).toBe(upload.url)
  await del(`/v1/uploads/${upload.key}`, { token: owner.token })
  await settle()
  expect(await photo()).toBeNull()
  expect(await eventsOf('group.updated', owner.group.id)).toContainEqual({
    groupId: owner.group.id,
    fields: ['photoUrl'],
  })
})

test("only administrators delete other people's files, with an audit entry", async () => {
  const { owner, upload } = await showing(place('an avatar'))
  const [admin, stranger] = [await makeAdmin(), await makeOwner()]
  expect((await del(`/v1/uploads/${upload.key}`, { token: stranger.token })).status).toBe(404)
  expect((await del(`/v1/uploads/${upload.key}`, { token: admin.token })).status).toBe(200)
  expect((await del(`/v1/uploads/${upload.key}`, { token: admin.token })).status).toBe(404)
  await settle()
  expect(await shown(owner, place('an avatar'))).toBeNull()
  const log = await get('/v1/admin/audit-log?limit=100', { token: admin.token })
  expect(log.body.data).toContainEqual(
    expect.objectContaining({ action: 'upload.delete', targetType: 'upload', targetId: upload.id }),
  )
})

test('account deletion deletes its files and clears references to them', async () => {
  const { owner } = await showing(place('an avatar'))
  const manager = await makeOwner()
  await makeMember(owner.group.id, manager.user.id, 'manager')
  // The manager leaves, and theirs are the pictures of a group and an event that stay.
  await makeMember(manager.group.id, owner.user.id, 'owner')
  const made = {
    photo: await makeUpload(manager.user.id, { category: 'group-photo' }),
    hero: await makeUpload(manager.user.id, { category: 'hero' }),
    event: await makeUpload(manager.user.id, { category: 'event-photo' }),
    unused: await makeUpload(manager.user.id, { category: 'media' }),
  }
  const { token } = manager
  const group = { photoUrl: made.photo.url, heroImageUrl: made.hero.url }
  expect((await patch(groupPath(owner), { token, json: group })).status).toBe(200)
  const event = `${groupPath(owner)}/events/${owner.event.id}`
  expect((await patch(event, { token, json: { photoUrl: made.event.url } })).status).toBe(200)
  const session = await makeSession(manager.user.id)
  const gone = await del(`/v1/profile?confirm=${manager.user.username}`, { session })
  expect(gone.status).toBe(200)
  await settle()
  for (const [name, upload] of Object.entries(made)) {
    expect([name, await isStored(upload)]).toEqual([name, false])
    expect((await get(`/v1/uploads/file/${upload.key}`)).status).toBe(404)
  }
  for (const name of ['a group photo', 'a group’s hero image', 'an event photo'])
    expect([name, await shown(owner, place(name))]).toEqual([name, null])
  const [left] = await db.execute(sql`select count(*)::int from uploads where owner_id = ${manager.user.id}`)
  expect(left).toEqual({ count: 0 })
  // A key holds the name of the file.
  expect(await eventsOf('upload.deleted', made.photo.key)).toEqual([])
})

test('a group that is deleted takes its pictures and those of its events along, but none that is shown elsewhere', async () => {
  const { owner, upload: photo } = await showing(place('a group photo'))
  const { user, token, group, event } = owner
  const past = await makeEvent(group.id)
  const made = {
    hero: await makeUpload(user.id, { category: 'hero' }),
    event: await makeUpload(user.id, { category: 'event-photo' }),
    past: await makeUpload(user.id, { category: 'event-photo' }),
    media: await makeUpload(user.id, { category: 'media' }),
  }
  await patch(groupPath(owner), { token, json: { heroImageUrl: made.hero.url } })
  await patch(`${groupPath(owner)}/events/${event.id}`, {
    token,
    json: { photoUrl: `${made.event.url}?w=64` },
  })
  await patch(`${groupPath(owner)}/events/${past.id}`, { token, json: { photoUrl: made.past.url } })
  const gone = () => del(`${groupPath(owner)}?confirm=${group.urlname}`, { token })
  expect((await gone()).status).toBe(204)
  await settle()
  for (const upload of [photo, made.hero, made.event, made.past]) {
    expect(await isStored(upload)).toBe(false)
    expect(await eventsOf('upload.deleted', upload.key)).toHaveLength(1)
  }
  expect(await isKept(made.media)).toBe(true)

  const second = await makeOwner()
  const shared = await makeUpload(second.user.id, { category: 'hero' })
  await show(second, place('a group’s hero image'), shared.url)
  await show(second, place('a hero image'), `${shared.url}?w=640`)
  const path = `${groupPath(second)}?confirm=${second.group.urlname}`
  expect((await del(path, { token: second.token })).status).toBe(204)
  await settle()
  expect(await isKept(shared)).toBe(true)
  expect(await shown(second, place('a hero image'))).toBe(`${shared.url}?w=640`)
})

test('an application that is deleted takes its logo along', async () => {
  const { owner, upload } = await showing(place('a logo'))
  const { token, clientId } = owner
  expect((await del(`/v1/developer/apps/${clientId}`, { token })).status).toBe(200)
  await settle()
  expect(await isStored(upload)).toBe(false)
})

test('files of a suspended person stay, and administrators can delete them', async () => {
  const { owner, upload } = await showing(place('a group photo'))
  const { token } = await makeAdmin()
  await patch(`/v1/admin/users/${owner.user.id}`, { token, json: { suspended: true } })
  await settle()
  expect(await isKept(upload)).toBe(true)
  expect((await get(`/v1/groups/${owner.group.urlname}`, { token })).body.data.photoUrl).toBe(upload.url)
  expect((await del(`/v1/uploads/${upload.key}`, { token })).status).toBe(200)
  await settle()
  expect((await get(`/v1/groups/${owner.group.urlname}`, { token })).body.data.photoUrl).toBeNull()
})
