import { afterEach, describe, expect, spyOn, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { advanceClock } from '@/core/clock'
import { db } from '@/db/client'
import { checkinCodes, rsvps } from '@/db/tables/events'
import { groupMembers } from '@/db/tables/groups'
import { jobs } from '@/db/tables/jobs'
import { outbox } from '@/db/tables/outbox'
import { passSheets } from '@/db/tables/pass-sheets'
import { passes } from '@/db/tables/passes'
import { users } from '@/db/tables/users'
import { transaction } from '@/db/transaction'
import { erase } from '@/modules/account/privacy/erase'
import { groupsArea } from '@/modules/community/groups/area'
import { finishRemovals, passSheetsArea } from '@/modules/gatherings/pass-sheets/area'
import { sheetJob } from '@/modules/gatherings/pass-sheets/jobs'
import { storage } from '@/outbound/storage/current'
import { StorageFull } from '@/outbound/storage/storage'
import { get, post } from '../../../support/api'
import { runNextJob } from '../../../support/lanes'
import { makeUser } from '../../../support/make'
import { until } from '../../../support/processes'
import { makeCode, makeRsvp, makeStaffedEvent } from '../checkins/fixtures'
import { bytesOf, fetchFile, made, work } from './made'

const BADGES = { kind: 'badges', paper: 'a4' }
let advanced = 0
const later = (ms: number) => {
  advanced += ms
  advanceClock(ms)
}
afterEach(() => later(-advanced))

async function makeEventWith(names: string[]) {
  const staffed = await makeStaffedEvent({ title: 'Größe & Übermut' })
  const guests = []
  for (const name of names) {
    const guest = await makeUser({ name })
    await makeRsvp(staffed.event.id, guest.id)
    guests.push(guest)
  }
  return { ...staffed, guests }
}

const objects = async () => (await Array.fromAsync(storage.list('sheets/'))).map(({ name }) => name)
const fileOf = async (id: string) =>
  (await db.select().from(passSheets).where(eq(passSheets.id, id)))[0]?.file
const codesOf = async (ids: string[]) => {
  const found = await db.select().from(passes)
  return ids.map((id) => found.find(({ ownerId, type }) => ownerId === id && type === 'qrcode')?.id)
}

describe('the file of a sheet', () => {
  test('is made by a worker and fetched at a signed address', async () => {
    const place = await makeEventWith(['Ada Lovelace', 'Grace Hopper'])
    const sheet = await made(place, BADGES)
    expect(sheet).toMatchObject({ status: 'ready', progress: 100, pages: 1, missing: [], error: null })
    const answer = await fetchFile(sheet.url)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(answer.headers.get('content-disposition')).toContain(
      `filename="badges-Grosse-Ubermut.pdf"; filename*=UTF-8''badges%20Gr%C3%B6%C3%9Fe%20%26%20%C3%9Cbermut.pdf`,
    )
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect(new TextDecoder().decode(bytes.slice(0, 5))).toBe('%PDF-')
    expect(new TextDecoder().decode(bytes.slice(-8))).toContain('%%EOF')
  })

  test('holds each confirmed person once, and printing again changes no code', async () => {
    const place = await makeEventWith(['Ada Lovelace', 'Grace Hopper'])
    const [waiting, gone] = [await makeUser(), await makeUser()]
    await makeRsvp(place.event.id, waiting.id, { status: 'waitlisted', waitlistNumber: 1 })
    await makeRsvp(place.event.id, gone.id, { status: 'cancelled' })
    const ids = place.guests.map(({ id }) => id)
    const card = { kind: 'badges', paper: 'badge-86x54' }
    const first = await made(place, card)
    expect(first.pages).toBe(2)
    // A pass on paper is no claim by its owner.
    expect(
      await db.$count(
        outbox,
        sql`type = 'meetpass.claimed' and payload ->> 'userId' = any(${sql.param(ids)}::text[])`,
      ),
    ).toBe(0)
    const codes = await codesOf(ids)
    expect(codes).toEqual([expect.any(String), expect.any(String)])
    expect(await codesOf([waiting.id, gone.id])).toEqual([undefined, undefined])
    const again = await made(place, card)
    expect(again.id).not.toBe(first.id)
    expect(await codesOf(ids)).toEqual(codes)
    expect(Bun.hash(await bytesOf(again.url))).toBe(Bun.hash(await bytesOf(first.url)))
    // Whoever comes later is on the next sheet.
    await makeRsvp(place.event.id, (await makeUser()).id)
    expect((await made(place, card)).pages).toBe(3)
    expect((await codesOf(ids)) as unknown).toEqual(codes)
  })

  test('of every kind and paper is made, and skips the labels that were used', async () => {
    const place = await makeEventWith(['Ada Lovelace', 'Grace Hopper'])
    const checkinCodeId = (await makeCode(place.event.id, { label: 'Side door' })).id
    for (const json of [
      { kind: 'stickers', paper: 'avery-5163' },
      { kind: 'checkin-poster', paper: 'letter', checkinCodeId },
    ])
      expect(await made(place, json)).toMatchObject({ kind: json.kind, status: 'ready', pages: 1 })
    const last = { kind: 'stickers', paper: 'avery-l7160', startAt: 21 }
    expect((await made(place, last)).pages).toBe(2)
  })

  test('lists characters without a glyph', async () => {
    const place = await makeEventWith(['Ada \u{10940}\u{10941}'])
    const { missing } = await made(place, BADGES)
    expect(missing).toEqual([{ name: 'Ada \u{10940}\u{10941}', characters: ['\u{10940}', '\u{10941}'] }])
  })

  test('is not made where there is nothing to print, and the sheet says why', async () => {
    const place = await makeEventWith([])
    expect(await made(place, BADGES)).toMatchObject({
      status: 'failed',
      url: null,
      error: 'There are no confirmed guests yet, so there is nothing to print',
    })
    const code = await makeCode(place.event.id)
    const json = { kind: 'checkin-poster', paper: 'a4', checkinCodeId: code.id }
    const { body } = await post(`${place.at}/pass-sheets`, { token: place.volunteer.token, json })
    await db.delete(checkinCodes).where(eq(checkinCodes.id, code.id))
    await work()
    const read = await get(`${place.manage}/pass-sheets/${body.data.id}`, { token: place.volunteer.token })
    expect(read.body.data).toMatchObject({ status: 'failed', error: expect.stringContaining('was deleted') })
    // What failed is forgotten with its job.
    await db.delete(jobs)
    const listed = await get(`${place.at}/pass-sheets`, { token: place.volunteer.token })
    expect([listed.body.data, listed.body.pagination.total]).toEqual([[], 0])
  })

  test('that is gone is 404, and says what to do', async () => {
    const sheet = await made(await makeEventWith(['Ada']), BADGES)
    await storage.remove(`sheets/${await fileOf(sheet.id)}`)
    const answer = await fetchFile(sheet.url)
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { error: 'The file of this print sheet is gone: order a new one', code: 'not_found' },
    ])
  })

  for (const [when, rooms] of [
    ['before it is drawn', [0]],
    ['once it is drawn', [1e9, 0]],
  ] as const)
    test(`leaves the rest of the disk to others, ${when}, and the sheet says so`, async () => {
      const place = await makeEventWith(['Ada'])
      const before = await objects()
      const room = spyOn(storage, 'freeBytes')
      for (const free of rooms) room.mockResolvedValueOnce(free)
      const sheet = await made(place, BADGES)
      room.mockRestore()
      expect(sheet).toMatchObject({
        status: 'failed',
        url: null,
        error: 'The server is out of storage: try again later, or contact the people who run it',
      })
      expect(await objects()).toEqual(before)
      expect(await made(place, BADGES)).toMatchObject({ status: 'ready' })
    })

  test('that the disk cannot take fails at once, with words', async () => {
    const place = await makeEventWith(['Ada'])
    const adopt = spyOn(storage, 'adopt').mockRejectedValueOnce(new StorageFull('The disk is full'))
    const sheet = await made(place, BADGES)
    adopt.mockRestore()
    expect(sheet).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('out of storage'),
    })
  })

  test('shows how far it has come', async () => {
    const place = await makeEventWith(['Ada'])
    const { volunteer, manage } = place
    const { body } = await post(`${place.at}/pass-sheets`, { token: volunteer.token, json: BADGES })
    const [row] = await db.select().from(passSheets).where(eq(passSheets.id, body.data.id))
    await db
      .update(jobs)
      .set({ status: 'running', done: 3, total: 4, nextAttemptAt: new Date(Date.now() + 60_000) })
      .where(eq(jobs.id, row?.jobId as string))
    const read = await get(`${manage}/pass-sheets/${body.data.id}`, { token: volunteer.token })
    expect(read.body.data).toMatchObject({ status: 'rendering', progress: 75, url: null })
  })

  test('can be downloaded only while the reader is on the staff', async () => {
    const place = await makeEventWith(['Ada'])
    const { url, id } = await made(place, BADGES)
    const { user } = place.volunteer
    await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, user.id))
    expect((await fetchFile(url)).status).toBe(404)
    await db.update(users).set({ suspendedAt: null }).where(eq(users.id, user.id))
    expect((await fetchFile(url)).status).toBe(200)
    await db.delete(groupMembers).where(eq(groupMembers.userId, user.id))
    expect((await fetchFile(url)).status).toBe(404)
    const other = await get(`${place.manage}/pass-sheets/${id}`, { token: place.manager.token })
    expect((await fetchFile(other.body.data.url)).status).toBe(200)
    later(11 * 60_000)
    expect((await fetchFile(other.body.data.url)).status).toBe(410)
  })
})

describe('two runs of one sheet', () => {
  test('since a lease ran out, leave one file', async () => {
    const place = await makeEventWith(['Ada', 'Grace'])
    const before = await objects()
    const { body } = await post(`${place.at}/pass-sheets`, { token: place.volunteer.token, json: BADGES })
    const work = { jobId: '', ownerId: '', progress: async () => {} }
    const run = () => sheetJob.run({ sheetId: body.data.id }, work)
    await Promise.all([run(), run()])
    const file = await fileOf(body.data.id)
    expect((await objects()).filter((name) => !before.includes(name))).toEqual([`sheets/${file}`])
  })
})

describe('a sheet ends', () => {
  const isGone = async ({ id }: { id: string }, file: unknown) => {
    expect(await fileOf(id)).toBeUndefined()
    expect(await objects()).not.toContain(`sheets/${file}`)
  }

  test('after seven days, in the storage too', async () => {
    const place = await makeEventWith(['Ada'])
    const sheet = await made(place, BADGES)
    const file = await fileOf(sheet.id)
    later(6.9 * 86_400_000)
    for (const { run } of passSheetsArea.sweeps) await run()
    expect(await objects()).toContain(`sheets/${file}`)
    later(86_400_000)
    const { token } = place.volunteer
    expect((await get(`${place.manage}/pass-sheets/${sheet.id}`, { token })).status).toBe(404)
    expect((await get(`${place.at}/pass-sheets`, { token })).body.data).toEqual([])
    for (const { run } of passSheetsArea.sweeps) await run()
    await isGone(sheet, file)
  })

  test('with its group', async () => {
    const place = await makeEventWith(['Ada'])
    const sheet = await made(place, BADGES)
    const file = await fileOf(sheet.id)
    await db.execute(`delete from groups where id = '${place.group.id}'`)
    expect((await fetchFile(sheet.url)).status).toBe(404)
    for (const { run } of groupsArea.sweeps) await run()
    await finishRemovals()
    await isGone(sheet, file)
  })

  test('when a person on it deletes their account; other sheets stay', async () => {
    const [place, other] = [await makeEventWith(['Ada', 'Grace']), await makeEventWith(['Linus'])]
    const [sheet, kept] = [await made(place, BADGES), await made(other, BADGES)]
    const file = await fileOf(sheet.id)
    const ada = place.guests[0] as (typeof place.guests)[number]
    // Who has given up their seat since is on paper still.
    await db.update(rsvps).set({ status: 'cancelled' }).where(eq(rsvps.userId, ada.id))
    await transaction((tx) => erase(tx, ada))
    expect((await fetchFile(sheet.url)).status).toBe(404)
    await finishRemovals()
    await isGone(sheet, file)
    expect((await fetchFile(kept.url)).status).toBe(200)
  })

  test('while it is being rendered, without leftovers', async () => {
    const place = await makeEventWith(['Ada'])
    const before = await objects()
    const { body } = await post(`${place.at}/pass-sheets`, { token: place.volunteer.token, json: BADGES })
    const running = runNextJob([sheetJob])
    const ids = place.guests.map((guest) => guest.id)
    await until('it knows who comes', async () => (await codesOf(ids))[0] !== undefined)
    await db.update(passSheets).set({ eventId: null }).where(eq(passSheets.id, body.data.id))
    await running
    expect(await objects()).toEqual(before)
    await finishRemovals()
    expect(await fileOf(body.data.id)).toBeUndefined()
  })

  test('and objects that no row names go after an hour', async () => {
    const place = await makeEventWith(['Ada'])
    const [sheet, orphan] = [await made(place, BADGES), `sheets/${crypto.randomUUID()}`]
    const path = storage.scratch()
    await Bun.write(path, 'x')
    await storage.adopt(orphan, path)
    const sweepAll = async () => {
      for (const { run } of passSheetsArea.sweeps) await run()
      return objects()
    }
    expect(await sweepAll()).toContain(orphan)
    later(61 * 60_000)
    const left = await sweepAll()
    expect(left).not.toContain(orphan)
    expect(left).toContain(`sheets/${await fileOf(sheet.id)}`)
  })
})
