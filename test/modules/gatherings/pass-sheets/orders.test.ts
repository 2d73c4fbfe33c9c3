import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { events } from '@/db/tables/events'
import { get, post } from '../../../support/api'
import { makeAdmin, makeCaller, makeEvent } from '../../../support/make'
import { walk } from '../../../support/walk'
import { makeCode, makeStaffedEvent } from '../checkins/fixtures'

const BADGES = { kind: 'badges', paper: 'a4' }

describe('a sheet', () => {
  test('is asked for, read and listed, newest first', async () => {
    const { at, manage, volunteer, manager } = await makeStaffedEvent()
    const made = await post(`${at}/pass-sheets`, { token: volunteer.token, json: BADGES })
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        id: expect.any(String),
        kind: 'badges',
        paper: 'a4',
        status: 'queued',
        progress: 0,
        url: null,
        pages: null,
        missing: [],
        error: null,
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
      },
    ])
    const { id, createdAt, expiresAt } = made.body.data
    expect(new Date(expiresAt).getTime() - new Date(createdAt).getTime()).toBeWithin(
      7 * 86_400_000 - 1000,
      7 * 86_400_000 + 1000,
    )
    const read = await get(`${manage}/pass-sheets/${id}`, { token: manager.token })
    expect([read.status, read.body.data]).toEqual([200, made.body.data])
    const stickers = { kind: 'stickers', paper: 'avery-l7160', startAt: 21, sort: 'rsvp' }
    const second = await post(`${at}/pass-sheets`, { token: manager.token, json: stickers })
    expect(second.status).toBe(201)
    const listed = await walk(`${at}/pass-sheets?limit=1`, volunteer.token)
    expect(listed.map((sheet) => sheet.id)).toEqual([second.body.data.id, id])
  })

  test('that is still queued is returned for an identical order only', async () => {
    const { at, volunteer, manager } = await makeStaffedEvent()
    const ask = async (json: object, token = volunteer.token) =>
      (await post(`${at}/pass-sheets`, { token, json })).body.data.id
    const first = await ask(BADGES)
    expect(await ask({ ...BADGES, sort: 'name', startAt: 1 }, manager.token)).toBe(first)
    expect(await ask({ ...BADGES, sort: 'rsvp' })).not.toBe(first)
    expect(await ask({ ...BADGES, paper: 'letter' })).not.toBe(first)
    const ids = await Promise.all(Array.from({ length: 5 }, () => ask({ kind: 'stickers', paper: 'a4' })))
    expect(new Set(ids).size).toBe(1)
  })

  test('is for staff: to others neither it nor the group is there', async () => {
    const { at, manage, volunteer, event } = await makeStaffedEvent()
    const other = await makeStaffedEvent()
    const made = await post(`${at}/pass-sheets`, { token: volunteer.token, json: BADGES })
    const one = `pass-sheets/${made.body.data.id}`
    for (const { token } of [other.owner, await makeCaller(['manage:checkins'])]) {
      expect((await get(`${at}/pass-sheets`, { token })).status).toBe(404)
      expect((await post(`${at}/pass-sheets`, { token, json: BADGES })).status).toBe(404)
      expect((await get(`${manage}/${one}`, { token })).status).toBe(404)
    }
    // An event or a sheet of another group is not there under one's own.
    const own = { token: other.owner.token }
    expect((await get(`${other.manage}/${one}`, own)).status).toBe(404)
    expect((await get(`${other.manage}/events/${event.id}/pass-sheets`, own)).status).toBe(404)
    expect(
      (await post(`${other.manage}/events/${event.id}/pass-sheets`, { ...own, json: BADGES })).status,
    ).toBe(404)
    expect((await get(`${manage}/${one}`)).status).toBe(401)
    const scopeless = await makeCaller(['manage:events'])
    expect((await get(`${manage}/${one}`, { token: scopeless.token })).status).toBe(403)
    expect((await get(`${manage}/${one}`, { token: (await makeAdmin()).token })).status).toBe(200)
  })

  test('is refused in words where it cannot be printed', async () => {
    const { at, volunteer, group } = await makeStaffedEvent()
    const foreign = await makeCode((await makeEvent(group.id)).id)
    const poster = { kind: 'checkin-poster', paper: 'a4' }
    for (const [json, says] of [
      [{}, 'kind'],
      [{ kind: 'badges' }, 'paper'],
      [{ kind: 'posters', paper: 'a4' }, 'kind'],
      [{ kind: 'badges', paper: 'a5' }, 'paper'],
      [{ ...BADGES, sort: 'age' }, 'sort'],
      [{ ...BADGES, startAt: 0 }, 'startAt'],
      [{ ...BADGES, startAt: 1.5 }, 'startAt'],
      [{ ...BADGES, startAt: 2 }, 'startAt must be left out: this paper has no labels'],
      [{ ...BADGES, paper: 'avery-l7160', startAt: 22 }, 'startAt must be at most 21 on this paper'],
      [{ ...BADGES, paper: 'avery-5163', startAt: 11 }, 'startAt must be at most 10 on this paper'],
      [{ ...BADGES, paper: 'badge-86x54', startAt: 2 }, 'startAt must be left out: this paper has no labels'],
      [poster, 'checkinCodeId is needed for a poster'],
      [{ ...poster, checkinCodeId: null }, 'checkinCodeId is needed for a poster'],
      [{ ...poster, checkinCodeId: 'x' }, 'checkinCodeId'],
      [{ ...poster, checkinCodeId: foreign.id }, 'checkinCodeId must be a check-in code of this event'],
    ] as const) {
      const { status, body } = await post(`${at}/pass-sheets`, { token: volunteer.token, json })
      expect([json, status, body.code]).toEqual([json, 400, 'validation_error'])
      expect(body.error).toContain(says)
    }
  })

  test('holds ten thousand people, and a poster any number', async () => {
    const { at, volunteer, event } = await makeStaffedEvent()
    await db.update(events).set({ confirmedCount: 10_001 }).where(eq(events.id, event.id))
    const refused = await post(`${at}/pass-sheets`, { token: volunteer.token, json: BADGES })
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    const json = { kind: 'checkin-poster', paper: 'a4', checkinCodeId: (await makeCode(event.id)).id }
    expect((await post(`${at}/pass-sheets`, { token: volunteer.token, json })).status).toBe(201)
  })
})
