import { describe, expect, test } from 'bun:test'
import { newId } from '@/core/ids'
import type { Scope } from '@/core/scopes'
import { del, get, patch, post } from '../../../support/api'
import { makeCaller, makeEvent, makeGroup, makeUser } from '../../../support/make'
import { makeCode } from '../../gatherings/checkins/fixtures'
import { awardsOf, domainEventsOf, happen, scoreOf, seen, settle } from './fixtures'

const SCOPES: Scope[] = ['read:user', 'write:favorites', 'write:portfolio', 'write:events', 'manage:events']

const at = (slug: string) => ({ slug, source: 'achievement' }) as const

const publish = (groupId: string, token: string, fields: object = {}) =>
  post(`/v1/manage/groups/${groupId}/events`, {
    token,
    json: {
      title: 'First of all',
      startTime: new Date(Date.now() + 3_600_000).toISOString(),
      timezone: 'Europe/Berlin',
      ...fields,
    },
  })

const SHIPPED = new Set(['explorer', 'connected', 'builder', 'regular', 'big-tent', 'handshake', 'host'])

describe('what is there to begin with', () => {
  test('is listed in order without progress for a new member', async () => {
    const { token } = await makeCaller(SCOPES)
    const { status, body } = await get('/v1/profile/achievements', { token })
    expect(status).toBe(200)
    // Other tests make achievements of their own.
    const shipped = body.data.filter(({ key }: { key: string }) => SHIPPED.has(key))
    expect(
      shipped.map(({ key, targetValue, badgeSlug }: Record<string, unknown>) => [
        key,
        targetValue,
        badgeSlug,
      ]),
    ).toEqual([
      ['explorer', 3, 'explorer'],
      ['connected', 3, 'connected'],
      ['builder', 1, 'builder'],
      ['regular', 5, 'regular'],
      ['big-tent', 6, 'big-tent'],
      ['handshake', 10, 'handshake'],
      ['host', 1, 'host'],
    ])
    expect(shipped[0]).toEqual({
      key: 'explorer',
      name: 'Explorer',
      description: 'Join three groups.',
      icon: '🧭',
      color: '#0ea5e9',
      targetValue: 3,
      currentValue: 0,
      completedAt: null,
      badgeSlug: 'explorer',
      hidden: false,
    })
    const { length } = body.data
    expect(body.pagination).toEqual({ limit: 100, hasMore: false, total: length })
  })

  test('explorer: three different groups, however often one is left and joined again', async () => {
    const { user, token } = await makeCaller(SCOPES)
    const [first, second, third] = [await makeGroup(), await makeGroup(), await makeGroup()]
    const join = (slug: string) => post(`/v1/favorites/${slug}`, { token })
    const leave = (slug: string) => del(`/v1/favorites/${slug}`, { token })
    for (let round = 0; round < 3; round += 1) {
      expect((await join(first.urlname)).status).toBe(201)
      expect((await leave(first.urlname)).status).toBe(204)
    }
    await join(second.urlname)
    await settle()
    expect(await seen(token, 'explorer')).toMatchObject({ currentValue: 2, completedAt: null })
    expect(await awardsOf(user.id)).toEqual([])
    await join(third.urlname)
    await settle()
    expect(await seen(token, 'explorer')).toMatchObject({ currentValue: 3, completedAt: expect.any(String) })
    expect([await awardsOf(user.id), await scoreOf(user.id)]).toEqual([[at('explorer')], 15])
    expect(await domainEventsOf('achievement.unlocked', user.id)).toEqual([
      { key: 'explorer', userId: user.id, badgeSlug: 'explorer' },
    ])
    expect(await domainEventsOf('score.changed', user.id)).toEqual([
      { userId: user.id, groupId: null, change: 15 },
    ])
  })

  test('builder: one portfolio item, and not just any change of the profile', async () => {
    const { user, token } = await makeCaller(['user', 'write:portfolio'])
    expect((await patch('/v1/profile', { token, json: { bio: 'I build' } })).status).toBe(200)
    await settle()
    expect(await seen(token, 'builder')).toMatchObject({ currentValue: 0, completedAt: null })
    await post('/v1/profile/portfolio', { token, json: { title: 'A boat' } })
    await post('/v1/profile/portfolio', { token, json: { title: 'Another boat' } })
    await settle()
    expect(await seen(token, 'builder')).toMatchObject({ currentValue: 1, completedAt: expect.any(String) })
    expect([await awardsOf(user.id), await scoreOf(user.id)]).toEqual([[at('builder')], 10])
  })

  test("handshake: ten people, by either side's pass", async () => {
    const { user, token } = await makeCaller(SCOPES)
    const meet = async (direction: 'inbound' | 'outbound') => {
      const pair = { userId: user.id, connectedUserId: (await makeUser()).id }
      await happen('meetpass.connected', { ...pair, connectionId: newId(), direction })
    }
    for (let i = 0; i < 9; i += 1) await meet(i % 2 ? 'inbound' : 'outbound')
    await settle()
    expect(await seen(token, 'handshake')).toMatchObject({ currentValue: 9, completedAt: null })
    await meet('inbound')
    await settle()
    expect(await seen(token, 'handshake')).toMatchObject({
      currentValue: 10,
      completedAt: expect.any(String),
    })
    expect([await awardsOf(user.id), await scoreOf(user.id)]).toEqual([[at('handshake')], 25])
  })

  test('regular and big tent: five check-ins, and six groups', async () => {
    const { user, token } = await makeCaller(SCOPES)
    const visit = async () => {
      const { code } = await makeCode((await makeEvent((await makeGroup()).id)).id)
      expect((await post(`/v1/checkin/${code}`, { token })).status).toBe(201)
    }
    for (let i = 0; i < 5; i += 1) await visit()
    await settle()
    expect(await seen(token, 'regular')).toMatchObject({ currentValue: 5, completedAt: expect.any(String) })
    expect(await seen(token, 'big-tent')).toMatchObject({ currentValue: 5, completedAt: null })
    expect(await scoreOf(user.id)).toBe(25)
    await visit()
    await settle()
    expect(await seen(token, 'regular')).toMatchObject({ currentValue: 5 })
    expect(await seen(token, 'big-tent')).toMatchObject({ currentValue: 6, completedAt: expect.any(String) })
    expect(await awardsOf(user.id)).toEqual([at('regular'), at('big-tent')])
    expect(await scoreOf(user.id)).toBe(75)
  })

  test('host: a published event, not a draft', async () => {
    const { user, token } = await makeCaller(SCOPES)
    const group = await makeGroup({}, user.id)
    expect((await publish(group.id, token, { status: 'draft' })).status).toBe(201)
    await settle()
    expect(await seen(token, 'host')).toMatchObject({ currentValue: 0 })
    for (let i = 0; i < 2; i += 1)
      expect((await publish(group.id, token, { status: 'published' })).status).toBe(201)
    await settle()
    expect(await seen(token, 'host')).toMatchObject({ currentValue: 1, completedAt: expect.any(String) })
    expect([await awardsOf(user.id), await scoreOf(user.id)]).toEqual([[at('host')], 30])
  })
})
