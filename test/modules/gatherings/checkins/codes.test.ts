import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { checkins } from '@/db/tables/events'
import { del, get, post } from '../../../support/api'
import { makeAdmin, makeCaller } from '../../../support/make'
import { statementsOf } from '../../../support/statements'
import { inHours } from '../../../support/time'
import { walk } from '../../../support/walk'
import { makeCode, makeGuest, makeStaffedEvent } from './fixtures'

describe('codes of an event', () => {
  test('are made with what was asked, listed oldest first and deleted', async () => {
    const { at, manage, volunteer, manager } = await makeStaffedEvent()
    const expiresAt = inHours(5).toISOString()
    const full = await post(`${at}/checkin-codes`, {
      token: volunteer.token,
      json: { label: ' Side door ', maxUses: 3, expiresAt },
    })
    expect([full.status, full.body.data]).toEqual([
      201,
      {
        id: expect.any(String),
        code: expect.stringMatching(/^[2-9A-HJKMNP-Z]{8}$/),
        label: 'Side door',
        maxUses: 3,
        currentUses: 0,
        expiresAt,
        createdAt: expect.any(String),
      },
    ])
    const bare = await post(`${at}/checkin-codes`, { token: volunteer.token })
    expect(bare.body.data).toMatchObject({ label: null, maxUses: null, expiresAt: null })
    await post(`/v1/checkin/${full.body.data.code}`, { token: (await makeGuest()).token })
    const listed = await get(`${at}/checkin-codes`, { token: volunteer.token })
    expect(listed.body.data).toEqual([{ ...full.body.data, currentUses: 1 }, bare.body.data])
    expect(listed.body.pagination).toEqual({ limit: 20, offset: 0, hasMore: false, total: 2 })
    const path = `${manage}/checkin-codes/${full.body.data.id}`
    expect((await del(path, { token: volunteer.token })).status).toBe(403)
    expect((await del(path, { token: manager.token })).status).toBe(204)
    expect((await del(path, { token: manager.token })).status).toBe(404)
    expect((await get(`/v1/checkin/${full.body.data.code}`)).status).toBe(404)
  })

  test('keep to their limits', async () => {
    const { at, volunteer } = await makeStaffedEvent()
    for (const json of [
      { label: 'x'.repeat(101) },
      { label: 'two\nlines' },
      { maxUses: 0 },
      { maxUses: 1_000_001 },
      { maxUses: 1.5 },
      { expiresAt: new Date(Date.now() - 1000).toISOString() },
      { expiresAt: 'tomorrow' },
    ])
      expect([json, (await post(`${at}/checkin-codes`, { token: volunteer.token, json })).body.code]).toEqual(
        [json, 'validation_error'],
      )
    // What belongs to the server cannot be set.
    const made = await post(`${at}/checkin-codes`, {
      token: volunteer.token,
      json: { code: 'MINE2345', currentUses: 9, maxUses: 1_000_000, label: null },
    })
    expect(made.body.data).toMatchObject({ currentUses: 0, maxUses: 1_000_000 })
    expect(made.body.data.code).not.toBe('MINE2345')
  })

  test('pages neither skip nor repeat, with a constant number of statements', async () => {
    const { at, event, volunteer } = await makeStaffedEvent()
    for (let i = 0; i < 5; i += 1) await makeCode(event.id)
    const { token } = volunteer
    const seen = (await walk(`${at}/checkin-codes?limit=2`, token)).map(({ id }) => id)
    expect([seen.length, new Set(seen).size]).toEqual([5, 5])
    const cost = (limit: number) => statementsOf(() => get(`${at}/checkin-codes?limit=${limit}`, { token }))
    expect([await cost(1), await cost(5)]).toEqual([4, 4])
  })

  test('leave the check-ins that were made with them', async () => {
    const { event, manage, manager } = await makeStaffedEvent()
    const code = await makeCode(event.id)
    const guest = await makeGuest()
    await post(`/v1/checkin/${code.code}`, { token: guest.token })
    expect((await del(`${manage}/checkin-codes/${code.id}`, { token: manager.token })).status).toBe(204)
    const left = await db.select().from(checkins).where(eq(checkins.eventId, event.id))
    expect(left.map(({ userId, codeId }) => [userId, codeId])).toEqual([[guest.user.id, null]])
  })
})

describe('who may manage the door', () => {
  test('each role may do what the table says; without one the group is not there', async () => {
    const staffed = await makeStaffedEvent()
    const { at, manage, event } = staffed
    const stranger = await makeCaller(['manage:checkins'])
    const admin = await makeAdmin()
    const code = await makeCode(event.id)
    const guest = await makeGuest()
    const nobody = Bun.randomUUIDv7()
    // The last two name things that are not there, so that the role alone decides between 403 and 404.
    const asked: [string, (token: string) => Promise<{ status: number; text: string }>, number[]][] = [
      ['attendees', (token) => get(`${at}/attendees`, { token }), [200, 200, 200, 200]],
      ['codes', (token) => get(`${at}/checkin-codes`, { token }), [200, 200, 200, 200]],
      ['new code', (token) => post(`${at}/checkin-codes`, { token }), [201, 201, 201, 201]],
      [
        'check in',
        async (token) => post(`${at}/attendees/${(await makeGuest()).user.id}/checkin`, { token }),
        [201, 201, 201, 201],
      ],
      ['export', (token) => post(`${at}/attendees/export`, { token }), [403, 200, 200, 200]],
      ['undo', (token) => del(`${at}/attendees/${nobody}/checkin`, { token }), [403, 404, 404, 404]],
      ['delete code', (token) => del(`${manage}/checkin-codes/${nobody}`, { token }), [403, 404, 404, 404]],
    ]
    for (const [name, ask, expected] of asked) {
      const roles = [staffed.volunteer, staffed.manager, staffed.owner, admin]
      const statuses = await Promise.all(roles.map(async ({ token }) => (await ask(token)).status))
      expect([name, statuses]).toEqual([name, expected])
      const refused = await ask(stranger.token)
      expect([name, refused.status, refused.text]).toEqual([
        name,
        404,
        '{"error":"Group not found","code":"not_found"}',
      ])
    }
    expect((await get(`/v1/checkin/${code.code}`)).status).toBe(200)
    expect((await post(`/v1/checkin/${code.code}`, { token: guest.token })).status).toBe(201)
  })

  test("another group's event, code and check-in are the same 404 as none", async () => {
    const [mine, theirs] = [await makeStaffedEvent(), await makeStaffedEvent()]
    const code = await makeCode(theirs.event.id)
    const guest = await makeGuest()
    await post(`/v1/checkin/${code.code}`, { token: guest.token })
    const { token } = mine.owner
    const nothing = Bun.randomUUIDv7()
    const ways: ((eventId: string) => Promise<{ status: number; text: string }>)[] = [
      (id) => get(`${mine.manage}/events/${id}/attendees`, { token }),
      (id) => get(`${mine.manage}/events/${id}/checkin-codes`, { token }),
      (id) => post(`${mine.manage}/events/${id}/checkin-codes`, { token }),
      (id) => post(`${mine.manage}/events/${id}/attendees/export`, { token }),
      (id) => post(`${mine.manage}/events/${id}/attendees/${guest.user.id}/checkin`, { token }),
      (id) => del(`${mine.manage}/events/${id}/attendees/${guest.user.id}/checkin`, { token }),
    ]
    for (const ask of ways) {
      const [foreign, missing] = [await ask(theirs.event.id), await ask(nothing)]
      expect([foreign.status, foreign.text]).toEqual([404, missing.text])
    }
    const [foreign, missing] = [
      await del(`${mine.manage}/checkin-codes/${code.id}`, { token }),
      await del(`${mine.manage}/checkin-codes/${nothing}`, { token }),
    ]
    expect([foreign.status, foreign.text]).toEqual([404, missing.text])
    expect((await get(`/v1/checkin/${code.code}`)).status).toBe(200)
    const outside = await get(`/v1/manage/groups/${theirs.group.id}/events/${theirs.event.id}/attendees`, {
      token,
    })
    const nowhere = await get(`/v1/manage/groups/${nothing}/events/${nothing}/attendees`, { token })
    expect([outside.status, outside.text]).toEqual([404, nowhere.text])
  })
})
