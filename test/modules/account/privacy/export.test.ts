import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { advanceClock, DAY_MS } from '@/core/clock'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { auditLog } from '@/db/tables/administration'
import { personalTokens, sessions } from '@/db/tables/credentials'
import { jobs } from '@/db/tables/jobs'
import { dataExports } from '@/db/tables/mails'
import { connections } from '@/db/tables/passes'
import { follows } from '@/db/tables/people'
import { users } from '@/db/tables/users'
import { transaction } from '@/db/transaction'
import { erase } from '@/modules/account/privacy/erase'
import { dataExportArea, finishRemovals } from '@/modules/account/privacy/export/area'
import { exportJob } from '@/modules/account/privacy/export/jobs'
import { HELD } from '@/modules/account/privacy/held/all'
import { storage } from '@/outbound/storage/current'
import { StorageFull } from '@/outbound/storage/storage'
import { del, get, patch } from '../../../support/api'
import { runNextJob } from '../../../support/lanes'
import {
  makeAdmin,
  makeBadge,
  makeCaller,
  makeEvent,
  makeGroup,
  makeSession,
  makeToken,
  makeUser,
} from '../../../support/make'
import { makeUpload } from '../../../support/make-upload'
import { makeOwnedClient, makeTokens } from '../../access/oauth/fixtures'
import { makeRsvp } from '../../gatherings/checkins/fixtures'
import { ask, bytesOf, contentOf, fetchFile, made, work } from './exported'

let advanced = 0
const later = (ms: number) => {
  advanced += ms
  advanceClock(ms)
}
afterEach(() => later(-advanced))

const rowOf = async (userId: string) =>
  (await db.select().from(dataExports).where(eq(dataExports.userId, userId)))[0]
const objects = async () => (await Array.fromAsync(storage.list('exports/'))).map(({ name }) => name)

describe('an export', () => {
  test('begins with the first call, is made by a worker, and fetched at a signed address', async () => {
    const { token, user } = await makeCaller()
    const first = await get('/v1/profile/export', { token })
    expect([first.status, first.body.data]).toEqual([
      200,
      { status: 'queued', progress: 0, url: null, expiresAt: null },
    ])
    await ask({ token })
    expect(await db.$count(dataExports, eq(dataExports.userId, user.id))).toBe(1)
    await work()
    const ready = await ask({ token })
    expect(ready).toMatchObject({ status: 'ready', progress: 100, expiresAt: expect.any(String) })
    const answer = await fetchFile(ready.url)
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      200,
      'application/zip',
      'private, no-store',
    ])
    expect(answer.headers.get('content-disposition')).toMatch(/filename="data-\d{4}-\d\d-\d\d\.zip"/)
    expect((await answer.arrayBuffer()).byteLength).toBe((await rowOf(user.id))?.size as number)
  })

  test('needs the scope', async () => {
    const { token } = await makeCaller(['read:user'])
    expect((await get('/v1/profile/export', { token })).status).toBe(403)
    expect((await get('/v1/profile/export')).status).toBe(401)
  })

  test("contains every exportable table with the person's rows, and unchanged files", async () => {
    const { token, user } = await makeCaller(['user'], {
      name: 'Ada Lovelace',
      bio: '<b>Räder</b> & "Karten"',
    })
    const group = await makeGroup({ name: 'Analytical Engines' })
    const event = await makeEvent(group.id, { title: 'Größe 🎉' })
    await makeRsvp(event.id, user.id)
    const content = new Uint8Array(Bun.randomUUIDv7('buffer'))
    const upload = await makeUpload(user.id, { content, filename: '../../Ünï\\..\\cøde .png' })
    const { table, entries, names } = await contentOf((await made({ token })).url)
    expect(names.filter((name) => name.startsWith('data/')).length).toBe(
      HELD.filter(({ leftOut }) => !leftOut).length,
    )
    expect(table('users')).toMatchObject([
      { id: user.id, name: 'Ada Lovelace', email: user.email, bio: user.bio },
    ])
    expect(table('rsvps')).toMatchObject([{ eventId: event.id, event: 'Größe 🎉', status: 'confirmed' }])
    expect(table('personal_tokens')).toMatchObject([{ name: 'test', scopes: ['user'] }])
    const [{ path, filename }] = table('uploads')
    expect(filename).toBe('../../Ünï\\..\\cøde .png')
    expect(path).toBe(`files/avatar/Ünï-cøde-${upload.id.slice(-12)}.png`)
    expect(Buffer.compare(entries.get(path) as Buffer, content)).toBe(0)
  })

  test('holds no secret: no hash, no sealed bytes, no token', async () => {
    const { token, user } = await makeCaller(['user', 'developer'])
    const session = await makeSession(user.id)
    const feed = (await get('/v1/profile/feed-token', { token })).body.data.feedToken
    const { entries } = await contentOf((await made({ token })).url)
    const all = [...entries.values()].map(String).join('\n').toLowerCase()
    const [row] = await db.select().from(personalTokens).where(eq(personalTokens.userId, user.id))
    const [signedIn] = await db.select().from(sessions).where(eq(sessions.userId, user.id))
    const hex = (bytes?: Uint8Array) => Buffer.from(bytes ?? []).toString('hex')
    const base64 = (bytes?: Uint8Array) =>
      Buffer.from(bytes ?? [])
        .toString('base64')
        .toLowerCase()
    for (const secret of [
      token,
      session,
      feed,
      ...[row?.hash, signedIn?.hash].flatMap((hash) => [hex(hash), base64(hash)]),
    ]) {
      expect(secret.length).toBeGreaterThan(20)
      expect(all).not.toContain(secret.toLowerCase())
    }
  })

  test('names others only as far as the reader may know them now', async () => {
    const { token, user } = await makeCaller()
    const [open, hidden, suspended, met] = [
      await makeUser({ name: 'Open Olga' }),
      await makeUser({ name: 'Hidden Hanna', profileVisibility: 'private' }),
      await makeUser({ name: 'Suspended Sam', suspendedAt: new Date() }),
      await makeUser({ name: 'Met Mia', profileVisibility: 'private' }),
    ]
    for (const { id } of [open, hidden, suspended])
      await db.insert(follows).values({ followerId: user.id, followeeId: id })
    await db.insert(follows).values({ followerId: open.id, followeeId: user.id })
    const at = new Date()
    await db.insert(connections).values([
      { id: newId(), ownerId: user.id, visitorId: met.id, createdAt: at },
      { id: newId(), ownerId: suspended.id, visitorId: user.id, createdAt: at },
      { id: newId(), ownerId: user.id, visitorId: hidden.id, createdAt: at, ownerRemovedAt: at },
      { id: newId(), ownerId: open.id, visitorId: user.id, createdAt: at, ownerRemovedAt: at },
    ])
    const { table, entries } = await contentOf((await made({ token })).url)
    const followed = table('follows') as { you: string; followee: object | null }[]
    expect(followed.length).toBe(4)
    expect(followed.filter(({ you }) => you === 'follower').map(({ followee }) => followee)).toContainEqual({
      name: 'Open Olga',
      username: open.username,
    })
    expect(table('connections')).toMatchObject([
      { you: 'owner', owner: { you: true }, visitor: { name: 'Met Mia', username: null } },
      { you: 'visitor', owner: null, ownerRemovedAt: null },
      { you: 'owner', visitor: null, ownerRemovedAt: expect.any(String) },
      // That the other side put it aside is theirs.
      { you: 'visitor', owner: { name: 'Open Olga', username: open.username }, ownerRemovedAt: null },
    ])
    const all = [...entries.values()].map(String).join('\n')
    for (const { name, id, email } of [hidden, suspended])
      for (const word of [name, id, email]) expect(all).not.toContain(word as string)
    for (const { id, email } of [open, met])
      for (const word of [id, email]) expect(all).not.toContain(word as string)
  })

  test('tells what administrators did to the person, and not who', async () => {
    const { token, user } = await makeCaller()
    const admin = await makeAdmin()
    await patch(`/v1/admin/users/${user.id}`, { token: admin.token, json: { role: 'admin' } })
    expect(await db.$count(auditLog, eq(auditLog.targetId, user.id))).toBe(1)
    const { table, entries } = await contentOf((await made({ token })).url)
    expect(table('audit_log')).toMatchObject([{ you: 'target', targetType: 'user' }])
    expect([...entries.values()].map(String).join('\n')).not.toContain(admin.user.id)
  })

  test('has a page in the language of the person, on which data is text', async () => {
    const name = '<script>alert(1)</script>'
    const { token } = await makeCaller(['user'], { name, language: 'de', timeZone: 'Europe/Berlin' })
    const { page } = await contentOf((await made({ token })).url)
    expect(page).toContain('<html lang="de">')
    expect(page).toContain('Mailadresse')
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).not.toContain('<script')
    expect(page).toContain(`default-src 'none'`)
  })

  test('of ten thousand rows is whole, and its page says how many it shows', async () => {
    const { token, user } = await makeCaller()
    const people = Array.from({ length: 2500 }, (_, i) => ({ id: newId(), name: `P${i}` }))
    for (let at = 0; at < people.length; at += 500) await db.insert(users).values(people.slice(at, at + 500))
    for (let at = 0; at < people.length; at += 500)
      await db
        .insert(follows)
        .values(people.slice(at, at + 500).map(({ id }) => ({ followerId: id, followeeId: user.id })))
    const { table, page } = await contentOf((await made({ token })).url)
    expect(table('follows').length).toBe(2500)
    expect(page).toContain('100 of 2,500 are shown')
  })

  test('keeps a hidden achievement a surprise until it is complete', async () => {
    const { token, user } = await makeCaller()
    const badge = await makeBadge({})
    const { achievementProgress, achievements } = await import('@/db/tables/achievements')
    const make = (key: string) => ({
      key,
      name: key,
      targetValue: 2,
      eventType: 'x',
      hidden: true,
      badgeSlug: badge.slug,
    })
    await db.insert(achievements).values([make(`secret-${user.id}`), make(`done-${user.id}`)])
    await db.insert(achievementProgress).values([
      { userId: user.id, achievementKey: `secret-${user.id}`, currentValue: 1 },
      { userId: user.id, achievementKey: `done-${user.id}`, currentValue: 2, completedAt: new Date() },
    ])
    const { table } = await contentOf((await made({ token })).url)
    expect(table('achievement_progress')).toMatchObject([{ achievementKey: `done-${user.id}` }])
  })
})

describe('the address of an export ends', () => {
  test('after ten minutes; asking again gives another, until a day has gone', async () => {
    const { token, user } = await makeCaller()
    const { url } = await made({ token })
    later(11 * 60_000)
    expect((await fetchFile(url)).status).toBe(410)
    expect((await fetchFile((await ask({ token })).url)).status).toBe(200)
    const file = `exports/${(await rowOf(user.id))?.file}`
    later(DAY_MS)
    expect(await objects()).toContain(file)
    for (const { run } of dataExportArea.sweeps) await run()
    expect([await objects(), await rowOf(user.id)]).toEqual([expect.not.arrayContaining([file]), undefined])
    expect(await ask({ token })).toMatchObject({ status: 'queued' })
  })

  test('with the token that asked, however it ends', async () => {
    const { token, id, user } = await makeCaller()
    const other = await makeToken(user.id, ['user'], { expiresAt: new Date(Date.now() + 60_000) })
    const [mine, short] = [(await made({ token })).url, (await ask({ token: other.token })).url]
    await del(`/v1/profile/tokens/${id}`, { token: other.token })
    expect((await fetchFile(mine)).status).toBe(404)
    expect((await fetchFile(short)).status).toBe(200)
    later(61_000)
    expect((await fetchFile(short)).status).toBe(404)
  })

  test('with the session that asked', async () => {
    const { user } = await makeCaller()
    const session = await makeSession(user.id)
    const { url } = await made({ session })
    expect((await fetchFile(url)).status).toBe(200)
    await db.delete(sessions).where(eq(sessions.userId, user.id))
    expect((await fetchFile(url)).status).toBe(404)
  })

  test('with a suspension, and with the account, whose file goes', async () => {
    const { token, user } = await makeCaller()
    const { url } = await made({ token })
    await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, user.id))
    expect((await fetchFile(url)).status).toBe(404)
    await db.update(users).set({ suspendedAt: null }).where(eq(users.id, user.id))
    expect((await fetchFile(url)).status).toBe(200)
    const { id, file } = (await rowOf(user.id)) as typeof dataExports.$inferSelect
    await transaction((tx) => erase(tx, user))
    expect((await fetchFile(url)).status).toBe(404)
    await finishRemovals()
    expect(await objects()).not.toContain(`exports/${file}`)
    expect(await db.$count(dataExports, eq(dataExports.id, id))).toBe(0)
  })
})

describe('an application', () => {
  test('gets an export of its own, without what is the person’s alone, and it ends with the grant', async () => {
    const client = await makeOwnedClient()
    const { access, userId } = await tokensOf(client)
    const mine = await makeToken(userId, ['user'])
    const own = await made({ token: mine.token })
    const { url } = await made({ token: access })
    const { names, table, page } = await contentOf(url)
    expect(table('users')).toMatchObject([{ id: userId }])
    const ways = /session|token|identit|address|mail(?!_switches)|webhook|oauth_(?!grants)|code|feed/
    expect(names.filter((name) => name.startsWith('data/') && ways.test(name))).toEqual([])
    expect(names).toContain('data/mail_switches.json')
    expect(page).toContain('An application asked for this export')
    expect((await contentOf(own.url)).names).toContain('data/sessions.json')
    const [grant] = (await get('/v1/profile/grants', { token: mine.token })).body.data
    expect((await del(`/v1/profile/grants/${grant.grantId}`, { token: mine.token })).status).toBe(200)
    expect((await fetchFile(url)).status).toBe(404)
    const before = (await objects()).length
    await finishRemovals()
    expect(before - (await objects()).length).toBe(1)
    expect((await fetchFile(own.url)).status).toBe(200)
  })
})

test('applications have two exports in a day each, and leave the person theirs', async () => {
  const { access, userId } = await tokensOf(await makeOwnedClient())
  const mine = await makeToken(userId, ['user'])
  const begun = () => db.$count(dataExports, eq(dataExports.userId, userId))
  const full = spyOn(storage, 'freeBytes').mockResolvedValue(0)
  try {
    for (let i = 0; i < 4; i += 1) {
      expect(await made({ token: access })).toMatchObject({ status: 'failed' })
      later(11 * 60_000)
    }
    expect(await begun()).toBe(2)
    for (let i = 0; i < 7; i += 1) {
      expect(await made({ token: mine.token })).toMatchObject({ status: 'failed' })
      later(11 * 60_000)
    }
    expect(await begun()).toBe(7)
  } finally {
    full.mockRestore()
  }
})

async function tokensOf(client: Awaited<ReturnType<typeof makeOwnedClient>>) {
  const { access } = await makeTokens(client, { scope: 'user' })
  const userId = (await get('/v1/me', { token: access })).body.data.id as string
  return { access, userId }
}

describe('an export that cannot be made', () => {
  test('for want of room says so, and another is begun ten minutes later, five times a day at most', async () => {
    const { token, user } = await makeCaller()
    const full = spyOn(storage, 'freeBytes').mockResolvedValue(0)
    try {
      expect(await made({ token })).toMatchObject({ status: 'failed', url: null })
      await ask({ token })
      expect(await db.$count(dataExports, eq(dataExports.userId, user.id))).toBe(1)
      for (let i = 0; i < 7; i += 1) {
        later(11 * 60_000)
        expect(await made({ token })).toMatchObject({ status: 'failed' })
      }
      expect(await db.$count(dataExports, eq(dataExports.userId, user.id))).toBe(5)
    } finally {
      full.mockRestore()
    }
  })

  test('because the disk fills leaves nothing behind', async () => {
    const { token } = await makeCaller()
    const before = await objects()
    const scratch = () => storage.leftovers(new Date(Date.now() + DAY_MS))
    const scratchBefore = await scratch()
    const adopting = spyOn(storage, 'adopt').mockRejectedValue(new StorageFull('full'))
    try {
      expect(await made({ token })).toMatchObject({ status: 'failed' })
    } finally {
      adopting.mockRestore()
    }
    expect(await objects()).toEqual(before)
    expect(await scratch()).toEqual(scratchBefore)
  })

  test('while its person leaves is thrown away', async () => {
    const { token, user } = await makeCaller()
    await ask({ token })
    const adopt = storage.adopt
    const adopting = spyOn(storage, 'adopt').mockImplementation(async (name, path) => {
      await adopt(name, path)
      await transaction((tx) => erase(tx, user))
    })
    const before = await objects()
    try {
      await work()
    } finally {
      adopting.mockRestore()
    }
    expect(await objects()).toEqual(before)
  })

  test('by a worker that died is made by the next', async () => {
    const { token, user } = await makeCaller()
    await ask({ token })
    const reached = Promise.withResolvers<void>()
    const dying = spyOn(storage, 'adopt').mockImplementation(() => {
      reached.resolve()
      return new Promise(() => {})
    })
    void runNextJob([exportJob], { leaseMs: 60_000 })
    await reached.promise
    dying.mockRestore()
    // The lease of a process that is gone runs out.
    await db
      .update(jobs)
      .set({ nextAttemptAt: new Date(0) })
      .where(eq(jobs.ownerId, user.id))
    await work()
    expect(await ask({ token })).toMatchObject({ status: 'ready' })
  })

  test('whose file was lost is started again', async () => {
    const { token, user } = await makeCaller()
    const { url } = await made({ token })
    await storage.remove(`exports/${(await rowOf(user.id))?.file}`)
    const answer = await fetchFile(url)
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { error: 'The file of this export is gone: request a new one', code: 'not_found' },
    ])
    expect(await made({ token })).toMatchObject({ status: 'ready' })
  })

  test('without a file of the person that the storage has lost is made, and says which', async () => {
    const { token, user } = await makeCaller()
    const upload = await makeUpload(user.id)
    await storage.remove(`files/${upload.file}`)
    const { page } = await contentOf((await made({ token })).url)
    expect(page).toContain('These files of yours could not be found')
    expect(await bytesOf((await ask({ token })).url)).toBeInstanceOf(Buffer)
  })
})
