import { afterEach, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { config } from '@/config/config'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { SCOPE_NAMES } from '@/core/scopes'
import { db } from '@/db/client'
import { databaseError } from '@/db/conflicts'
import { badgeAwards, groupScores, unsettledBadges } from '@/db/tables/badges'
import { events, rsvps } from '@/db/tables/events'
import { endedGroups, favorites, groupMembers, groups } from '@/db/tables/groups'
import { mails } from '@/db/tables/mails'
import { outbox } from '@/db/tables/outbox'
import { transaction } from '@/db/transaction'
import { groupsArea } from '@/modules/community/groups/area'
import { noticeListeners } from '@/modules/gatherings/notices/area'
import { badgesArea } from '@/modules/recognition/badges/area'
import { emit } from '@/outbox/emit'
import { runSweeps } from '../../../../workers/sweeps'
import { del, get, patch, post } from '../../../support/api'
import { drain } from '../../../support/drain'
import {
  makeAdmin,
  makeBadge,
  makeCaller,
  makeEvent,
  makeGroup,
  makeMember,
  makeUser,
} from '../../../support/make'
import { meanwhile } from '../../../support/meanwhile'
import { statementsOf } from '../../../support/statements'

const NOWHERE = '01890000-0000-7000-8000-000000000000'

const makeManager = () => makeCaller(['manage:groups'])

const newName = () => `made-${randomHex(6)}`

const domainEventsOf = async (groupId: string) =>
  (await db.select().from(outbox).orderBy(outbox.id)).filter(
    ({ payload }) => (payload as { groupId?: string }).groupId === groupId,
  )

const typesOf = async (groupId: string) => (await domainEventsOf(groupId)).map(({ type }) => type)

const FIELDS = {
  name: 'The Chess Club',
  description: 'We play.\nEvery week.',
  website: 'https://example.org/',
  tags: ['chess', 'tea'],
  socialLinks: { github: 'https://example.org/g', 'x-com': 'http://example.org/x' },
  photoUrl: 'https://example.org/p.png',
  heroImageUrl: 'https://example.org/h.png',
  themeColor: 'forest',
}

describe('founding a group', () => {
  afterEach(() => {
    config.groupCreation = 'open'
  })

  test('makes the caller its owner and sets every field, but none that is not theirs to set', async () => {
    const me = await makeManager()
    const urlname = newName()
    const foreign = {
      id: NOWHERE,
      isListed: false,
      isFeatured: true,
      favoritesCount: 9,
      favorites_count: 9,
      upstreamMemberCount: 9,
      memberCount: 9,
      createdAt: '2000-01-01T00:00:00Z',
      userId: NOWHERE,
      userRole: 'volunteer',
      role: 'volunteer',
    }
    const made = await post('/v1/manage/groups', {
      token: me.token,
      json: { urlname, ...FIELDS, ...foreign },
    })
    const { id } = made.body.data
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        id: expect.any(String),
        name: FIELDS.name,
        urlname,
        description: FIELDS.description,
        photoUrl: FIELDS.photoUrl,
        memberCount: 0,
        userRole: 'owner',
      },
    ])
    const read = await get(`/v1/manage/groups/${id}`, { token: me.token })
    expect(read.body.data).toEqual({
      ...made.body.data,
      ...FIELDS,
      isListed: true,
      isFeatured: false,
      createdAt: expect.stringMatching(/^20[^0]/),
      permissions: {
        editSettings: true,
        manageMembers: true,
        manageEvents: true,
        manageBadges: true,
        checkIn: true,
      },
    })
    expect(id).not.toBe(NOWHERE)
    const staff = await db.select().from(groupMembers).where(eq(groupMembers.groupId, id))
    expect(staff.map(({ userId, role }) => [userId, role])).toEqual([[me.user.id, 'owner']])
    expect(await typesOf(id)).toEqual(['group.created'])
  })

  test('is refused under a name that is taken, in any case, or reserved', async () => {
    const { token } = await makeManager()
    const shouting = await makeGroup({ urlname: newName().toUpperCase() })
    const listed = (await makeGroup()).urlname
    const hidden = (await makeGroup({ isListed: false })).urlname
    for (const urlname of [listed, hidden, shouting.urlname.toLowerCase(), 'claim', 'new', 'manage']) {
      const answer = await post('/v1/manage/groups', { token, json: { urlname, name: 'X' } })
      expect([urlname, answer.status, answer.body.code]).toEqual([urlname, 409, 'conflict'])
    }
  })

  test('names the field that is wrong', async () => {
    const { token } = await makeManager()
    const wrong: [string, object][] = [
      ['urlname', { urlname: undefined }],
      ['name', { name: undefined }],
      ['urlname', { urlname: 'a' }],
      ['urlname', { urlname: '-ab' }],
      ['urlname', { urlname: 'ab-' }],
      ['urlname', { urlname: 'Abc' }],
      ['urlname', { urlname: 'a_b' }],
      ['urlname', { urlname: 'a'.repeat(61) }],
      ['name', { name: '' }],
      ['name', { name: 'x'.repeat(201) }],
      ['name', { name: 'two\nlines' }],
      ['description', { description: 'x'.repeat(5001) }],
      ['website', { website: 'javascript:alert(1)' }],
      ['tags', { tags: Array(21).fill('x') }],
      ['tags.0', { tags: ['x'.repeat(41)] }],
      ['tags', { tags: 'x' }],
      ['photoUrl', { photoUrl: 'ftp://example.org' }],
      ['heroImageUrl', { heroImageUrl: 5 }],
      ['themeColor', { themeColor: '#fff' }],
      ['socialLinks', { socialLinks: null }],
      ['socialLinks', { socialLinks: [] }],
      ['socialLinks', { socialLinks: { GitHub: 'https://example.org' } }],
      ['socialLinks', { socialLinks: { 'a\nb': 'https://example.org' } }],
      ['socialLinks', { socialLinks: { '': 'https://example.org' } }],
      ['socialLinks', { socialLinks: { ['x'.repeat(41)]: 'https://example.org' } }],
      ['socialLinks', { socialLinks: { github: 'javascript:alert(1)' } }],
      ['socialLinks', { socialLinks: { github: null } }],
      ['socialLinks', { socialLinks: { github: { github: 'https://example.org' } } }],
      [
        'socialLinks',
        { socialLinks: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [i, 'https://a.example'])) },
      ],
    ]
    for (const [field, change] of wrong) {
      const answer = await post('/v1/manage/groups', {
        token,
        json: { urlname: newName(), name: 'X', ...change },
      })
      expect([change, answer.status, answer.body.code]).toEqual([change, 400, 'validation_error'])
      expect(answer.body.error).toStartWith(`${field} `)
    }
    const links = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`s-${i}`, 'https://a.example']))
    const edge = { urlname: 'a'.repeat(48) + randomHex(6), name: 'ä'.repeat(200), socialLinks: links }
    expect((await post('/v1/manage/groups', { token, json: edge })).status).toBe(201)
  })

  test('is for administrators where the operator says so', async () => {
    const [me, admin] = [await makeManager(), await makeAdmin()]
    const modest = await makeCaller(['manage:groups'], { role: 'admin' })
    const found = (token: string, urlname = newName()) =>
      post('/v1/manage/groups', { token, json: { urlname, name: 'X' } })
    for (const mode of ['admin', 'entitled'] as const) {
      config.groupCreation = mode
      for (const { token } of [me, modest]) {
        const refused = await found(token, 'new')
        expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
        expect(refused.body.error).toContain(mode === 'admin' ? 'administrators' : 'entitlement')
      }
      expect((await found(admin.token)).status).toBe(201)
    }
  })

  test('twice with one idempotency key is once', async () => {
    const { token } = await makeManager()
    const urlname = newName()
    const found = () =>
      post('/v1/manage/groups', {
        token,
        json: { urlname, name: 'X' },
        headers: { 'idempotency-key': urlname },
      })
    const [first, second] = [await found(), await found()]
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text])
  })
})

describe('the groups one manages', () => {
  test('are those with a role, by name, each with that role; also for administrators', async () => {
    const me = await makeAdmin()
    const made = []
    for (const [name, role] of [
      ['Charlie', 'owner'],
      ['Alpha', 'volunteer'],
      ['Bravo', 'manager'],
    ] as const) {
      const group = await makeGroup({ name, isListed: name !== 'Bravo' })
      await makeMember(group.id, me.user.id, role)
      made.push([group.id, name, role])
    }
    await makeGroup()
    const whole = await get('/v1/manage/groups', { token: me.token })
    expect(whole.body.data.map((row: Record<string, string>) => [row.id, row.name, row.userRole])).toEqual([
      made[1],
      made[2],
      made[0],
    ])
    expect(whole.body.pagination.total).toBe(3)
    expect(Object.keys(whole.body.data[0]).sort()).toEqual(
      ['description', 'id', 'memberCount', 'name', 'photoUrl', 'urlname', 'userRole'].sort(),
    )
    const first = await get('/v1/manage/groups?limit=2', { token: me.token })
    const second = await get(`/v1/manage/groups?limit=2&cursor=${first.body.pagination.nextCursor}`, {
      token: me.token,
    })
    expect([...first.body.data, ...second.body.data]).toEqual(whole.body.data)
    const cost = (limit: number) =>
      statementsOf(() => get(`/v1/manage/groups?limit=${limit}`, { token: me.token }))
    expect([await cost(1), await cost(100)]).toEqual([2, 2])
  })
})

/** What each role is answered; somebody without one is answered as if there were no group. */
describe('who may do what', () => {
  const asked: Record<string, (id: string, token: string) => ReturnType<typeof get>> = {
    read: (id, token) => get(`/v1/manage/groups/${id}`, { token }),
    change: (id, token) => patch(`/v1/manage/groups/${id}`, { token, json: { description: null } }),
    staff: (id, token) => get(`/v1/manage/groups/${id}/members`, { token }),
    add: (id, token) =>
      post(`/v1/manage/groups/${id}/members`, { token, json: { userId: 'nobody-of-that-name' } }),
    promote: (id, token) =>
      patch(`/v1/manage/groups/${id}/members/${NOWHERE}`, { token, json: { role: 'owner' } }),
    remove: (id, token) => del(`/v1/manage/groups/${id}/members/${NOWHERE}`, { token }),
    delete: (id, token) => del(`/v1/manage/groups/${id}?confirm=wrong`, { token }),
  }
  const expected: Record<string, Record<string, number>> = {
    volunteer: { read: 200, change: 403, staff: 200, add: 403, promote: 403, remove: 403, delete: 403 },
    manager: { read: 200, change: 200, staff: 200, add: 404, promote: 404, remove: 404, delete: 403 },
    owner: { read: 200, change: 200, staff: 200, add: 404, promote: 404, remove: 404, delete: 400 },
    admin: { read: 200, change: 200, staff: 200, add: 404, promote: 404, remove: 404, delete: 400 },
  }

  for (const [role, answers] of Object.entries(expected))
    test(`a person with the role ${role}`, async () => {
      const group = await makeGroup({}, (await makeUser()).id)
      const me = role === 'admin' ? await makeAdmin() : await makeCaller(['manage:groups'])
      if (role !== 'admin') await makeMember(group.id, me.user.id, role as 'owner')
      for (const [what, ask] of Object.entries(asked)) {
        const answer = await ask(group.id, me.token)
        expect([what, answer.status]).toEqual([what, answers[what] as number])
      }
      const { data } = (await get(`/v1/manage/groups/${group.id}`, { token: me.token })).body
      const manages = role !== 'volunteer'
      expect([data.userRole, data.permissions]).toEqual([
        role === 'admin' ? 'owner' : role,
        {
          editSettings: manages,
          manageMembers: manages,
          manageEvents: manages,
          manageBadges: manages,
          checkIn: true,
        },
      ])
    })

  test('without a role there is no group, listed or not: byte for byte', async () => {
    const me = await makeManager()
    await makeGroup({}, me.user.id)
    // An administrator's token without the scope is nobody's in particular.
    const modest = await makeCaller(['manage:groups'], { role: 'admin' })
    for (const isListed of [true, false]) {
      const group = await makeGroup({ isListed }, (await makeUser()).id)
      const leave = (id: string, token: string) => post(`/v1/manage/groups/${id}/leave`, { token })
      for (const [what, ask] of Object.entries({ ...asked, leave }))
        for (const { token } of [me, modest]) {
          const [there, missing] = [await ask(group.id, token), await ask(NOWHERE, token)]
          expect([what, there.status, there.text]).toEqual([what, 404, missing.text])
        }
    }
    expect((await get('/v1/manage/groups/no-id', { token: me.token })).status).toBe(404)
  })
})

describe('changing a group', () => {
  test('changes what is sent and nothing else, and tells what', async () => {
    const me = await makeManager()
    const group = await makeGroup({ ...FIELDS, themeColor: 'rose', upstreamMemberCount: 3 }, me.user.id)
    const path = `/v1/manage/groups/${group.id}`
    const before = (await get(path, { token: me.token })).body.data
    const same = await patch(path, { token: me.token, json: {} })
    expect(same.body.data).toEqual(before)
    const change = { description: null, website: null, tags: [], socialLinks: {}, themeColor: null }
    const changed = await patch(path, {
      token: me.token,
      json: { ...change, isListed: false, isFeatured: true, memberCount: 5, id: NOWHERE, groupId: NOWHERE },
    })
    expect([changed.status, changed.body.data]).toEqual([200, { ...before, ...change }])
    expect((await get(path, { token: me.token })).body.data).toEqual({ ...before, ...change })
    const domainEvents = await domainEventsOf(group.id)
    expect(domainEvents.map(({ type, payload }) => [type, payload])).toEqual([
      ['group.updated', { groupId: group.id, fields: Object.keys(change) }],
    ])
  })

  test('keeps to free names; its own is free for it', async () => {
    const me = await makeManager()
    const [group, other] = [await makeGroup({}, me.user.id), await makeGroup()]
    const rename = async (urlname: string) =>
      (await patch(`/v1/manage/groups/${group.id}`, { token: me.token, json: { urlname } })).status
    expect(await rename(other.urlname)).toBe(409)
    expect(await rename('manage')).toBe(409)
    expect(await rename('No')).toBe(400)
    expect(await rename(group.urlname)).toBe(200)
  })
})

describe('deleting a group', () => {
  test('wants its name, and takes events, guests, staff and favorites along', async () => {
    const me = await makeManager()
    const group = await makeGroup({}, me.user.id)
    const event = await makeEvent(group.id)
    const guest = await makeUser()
    await makeMember(group.id, guest.id, 'owner')
    await db.insert(rsvps).values({ id: newId(), eventId: event.id, userId: guest.id, status: 'confirmed' })
    await db.insert(favorites).values({ userId: guest.id, groupId: group.id })
    const path = `/v1/manage/groups/${group.id}`
    expect((await get(`/v1/public/groups/${group.urlname}`)).status).toBe(200)
    const wrong = await del(`${path}?confirm=other`, { token: me.token })
    expect([wrong.status, wrong.body.code]).toEqual([400, 'bad_request'])
    expect((await del(path, { token: me.token })).status).toBe(400)
    const confirmed = `${path}?confirm=${group.urlname.toUpperCase()}`
    // Guests of a deleted group cannot be emailed any more.
    const early = await del(confirmed, { token: me.token })
    expect([early.status, early.body.error]).toEqual([
      409,
      expect.stringContaining('Cancel the upcoming events'),
    ])
    await db.update(events).set({ status: 'cancelled' }).where(eq(events.id, event.id))
    await transaction((tx) => emit(tx, 'event.cancelled', { eventId: event.id, groupId: group.id }))
    const mailing = expect.stringContaining('still being emailed')
    const unheard = await del(confirmed, { token: me.token })
    expect([unheard.status, unheard.body.error]).toEqual([409, mailing])
    await drain(noticeListeners)
    const unsent = await del(confirmed, { token: me.token })
    expect([unsent.status, unsent.body.error]).toEqual([409, mailing])
    await db.update(mails).set({ finishedAt: new Date(), outcome: 'sent' }).where(eq(mails.topic, event.id))
    const done = await del(confirmed, { token: me.token })
    expect([done.status, done.text]).toEqual([204, ''])
    expect((await del(`${path}?confirm=${group.urlname}`, { token: me.token })).status).toBe(404)
    expect((await get(`/v1/public/groups/${group.urlname}`)).status).toBe(404)
    const left = [
      await db.select().from(groups).where(eq(groups.id, group.id)),
      await db.select().from(groupMembers).where(eq(groupMembers.groupId, group.id)),
      await db.select().from(favorites).where(eq(favorites.groupId, group.id)),
      await db.select().from(events).where(eq(events.groupId, group.id)),
      await db.select().from(rsvps).where(eq(rsvps.eventId, event.id)),
    ]
    expect(left).toEqual([[], [], [], [], []])
    expect(await typesOf(group.id)).toEqual(['event.cancelled', 'group.deleted'])
  })

  test('waits for an RSVP in progress, and then refuses because of its guest', async () => {
    const me = await makeManager()
    const group = await makeGroup({}, me.user.id)
    const event = await makeEvent(group.id)
    const { id: userId } = await makeUser()
    const answer = await meanwhile(
      (tx) => tx.insert(rsvps).values({ id: newId(), eventId: event.id, userId, status: 'confirmed' }),
      () => del(`/v1/manage/groups/${group.id}?confirm=${group.urlname}`, { token: me.token }),
    )
    expect([answer.status, answer.body.error]).toEqual([
      409,
      expect.stringContaining('Cancel the upcoming events'),
    ])
  })

  test('hides everything at once; a sweep deletes the rows', async () => {
    const admin = await makeCaller([...SCOPE_NAMES], { role: 'admin' })
    const fan = await makeCaller(['user', 'read:groups', 'read:events', 'write:events'])
    const group = await makeGroup({}, admin.user.id)
    const event = await makeEvent(group.id)
    const badge = await makeBadge({ groupId: group.id, points: 5 })
    await db
      .insert(rsvps)
      .values({ id: newId(), eventId: event.id, userId: fan.user.id, status: 'confirmed' })
    await db.insert(favorites).values({ userId: fan.user.id, groupId: group.id })
    await db
      .insert(badgeAwards)
      .values({ id: newId(), badgeId: badge.id, userId: fan.user.id, source: 'group' })
    const ofGroup = `/v1/manage/groups/${group.id}`
    const { code } = (
      await post(`${ofGroup}/events/${event.id}/checkin-codes`, { token: admin.token, json: {} })
    ).body.data
    // As a process leaves it that dies after the commit, with more holders than one statement takes along.
    await transaction(async (tx) => {
      await tx.execute(sql`select set_config('folkmoot.awards', '0', true)`)
      await tx.execute(sql`delete from groups where id = ${group.id}`)
      await emit(tx, 'group.deleted', { groupId: group.id, userId: admin.user.id })
    })
    const gone = [
      `/v1/groups/${group.urlname}`,
      `/v1/groups/${group.urlname}/members`,
      `/v1/groups/${group.urlname}/leaderboard`,
      `/v1/events/${event.id}`,
      `/v1/events/${event.id}/rsvp`,
      `/v1/events/${event.id}/attendees`,
      `/v1/checkin/${code}`,
      `/v1/badges/${badge.slug}`,
      ofGroup,
      `${ofGroup}/events`,
      `${ofGroup}/events/${event.id}`,
      `${ofGroup}/events/${event.id}/attendees`,
      `${ofGroup}/badges`,
    ]
    for (const token of [fan.token, admin.token])
      for (const path of gone) {
        const { status } = await get(path, { token })
        expect([path, status === 404 || status === 403]).toEqual([path, true])
      }
    for (const path of ['/v1/favorites', '/v1/me/rsvps', '/v1/profile/badges'])
      expect([path, (await get(path, { token: fan.token })).text.includes(group.id)]).toEqual([path, false])
    expect((await get('/v1/me/rsvps', { token: fan.token })).body.data).toEqual([])
    expect((await post(`/v1/events/${event.id}/rsvp`, { token: fan.token })).status).toBe(404)
    await runSweeps([...groupsArea.sweeps, ...badgesArea.sweeps])
    const left = [
      await db.$count(favorites, eq(favorites.groupId, group.id)),
      await db.$count(events, eq(events.groupId, group.id)),
      await db.$count(rsvps, eq(rsvps.eventId, event.id)),
      await db.$count(groupScores, eq(groupScores.groupId, group.id)),
      await db.$count(badgeAwards, eq(badgeAwards.badgeId, badge.id)),
      await db.$count(endedGroups, eq(endedGroups.groupId, group.id)),
      await db.$count(unsettledBadges, eq(unsettledBadges.badgeId, badge.id)),
    ]
    expect(left).toEqual([0, 0, 0, 0, 0, 0, 0])
  })

  test('leaves no room for an event or a favorite that comes late', async () => {
    const { id } = await makeUser()
    const late = async (values: Promise<unknown>) => databaseError(await values.catch((error) => error))?.code
    expect(await late(makeEvent(NOWHERE))).toBe('23503')
    expect(await late(db.insert(favorites).values({ userId: id, groupId: NOWHERE }).execute())).toBe('23503')
  })
})
