import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { badgeAwards, badges } from '@/db/tables/badges'
import { del, get, patch, post } from '../../../support/api'
import { makeAdmin, makeCaller, makeGroup, makeUser } from '../../../support/make'
import { walk } from '../../../support/walk'
import { auditOf, eventsAbout, giveBadge, makeBadge, newBadge, scoreEventsOf, scoreOf } from './fixtures'

describe('badges of the platform, for administrators', () => {
  test('are created, listed with hidden ones, changed and deleted, with audit entries', async () => {
    const { user, token } = await makeAdmin()
    const fields = newBadge({ points: 1000, hidden: true, sortOrder: 700_000, color: '#000000' })
    const made = await post('/v1/admin/badges', { token, json: fields })
    const { id } = made.body.data
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        id: expect.any(String),
        name: 'Early Bird',
        slug: fields.slug,
        description: null,
        icon: '🐦',
        iconUrl: 'http://localhost/assets/emoji/1f426.svg',
        color: '#000000',
        points: 1000,
        sortOrder: 700_000,
        createdAt: expect.any(String),
        awardedCount: 0,
        hidden: true,
      },
    ])
    const plain = await post('/v1/admin/badges', { token, json: newBadge() })
    expect(plain.body.data).toMatchObject({ hidden: false, points: 0, sortOrder: 0, color: '#64748b' })
    const ofGroup = await makeBadge({ groupId: (await makeGroup()).id })
    const listed = await walk('/v1/admin/badges?limit=4', token)
    expect(listed.find((badge) => badge.id === id)).toEqual(made.body.data)
    expect(listed.some((badge) => badge.id === ofGroup.id)).toBe(false)
    expect(listed.map(({ sortOrder }) => sortOrder)).toEqual(
      listed.map(({ sortOrder }) => sortOrder).sort((a, b) => a - b),
    )
    expect((await get('/v1/admin/badges', { token })).body.pagination.total).toBe(listed.length)
    const changed = await patch(`/v1/admin/badges/${id}`, {
      token,
      json: { points: 5, hidden: false, name: 'Later Bird', slug: 'another' },
    })
    expect([changed.status, changed.body.data]).toEqual([
      200,
      { ...made.body.data, points: 5, hidden: false, name: 'Later Bird' },
    ])
    expect((await patch(`/v1/admin/badges/${id}`, { token, json: {} })).body.data).toEqual(changed.body.data)
    expect((await del(`/v1/admin/badges/${id}`, { token })).status).toBe(204)
    expect((await del(`/v1/admin/badges/${id}`, { token })).status).toBe(404)
    const entry = {
      targetType: 'badge',
      actorId: user.id,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    }
    expect(await auditOf(id)).toEqual([
      { ...entry, action: 'badge.create', changes: { slug: fields.slug, points: 1000, hidden: true } },
      {
        ...entry,
        action: 'badge.update',
        changes: { fields: expect.arrayContaining(['points', 'hidden', 'name']), points: 5, hidden: false },
      },
      { ...entry, action: 'badge.delete', changes: { slug: fields.slug } },
    ])
    expect((await eventsAbout(id)).map(({ type }) => type)).toEqual([
      'badge.created',
      'badge.updated',
      'badge.deleted',
    ])
  })

  test('keep to their limits, and their slug', async () => {
    const { token } = await makeAdmin()
    const badge = await makeBadge()
    const ofGroup = await makeBadge({ groupId: (await makeGroup()).id })
    for (const fields of [
      { points: 1001 },
      { points: -1 },
      { hidden: 'yes' },
      { icon: 'no' },
      { color: 'x' },
    ]) {
      const create = await post('/v1/admin/badges', { token, json: newBadge(fields) })
      const change = await patch(`/v1/admin/badges/${badge.id}`, { token, json: fields })
      expect([fields, create.status, change.status]).toEqual([fields, 400, 400])
    }
    for (const { slug } of [badge, ofGroup]) {
      const taken = await post('/v1/admin/badges', { token, json: newBadge({ slug }) })
      expect([taken.status, taken.body.error]).toEqual([409, 'That slug is taken'])
    }
    const mine = { id: newId(), groupId: ofGroup.groupId, awardedCount: 9, slug: 'mine', name: 'Mine' }
    await patch(`/v1/admin/badges/${badge.id}`, { token, json: mine })
    const [row] = await db.select().from(badges).where(eq(badges.id, badge.id))
    expect(row).toEqual({ ...badge, name: 'Mine' })
    // What is refused is not written down.
    expect((await auditOf(badge.id)).map(({ action }) => action)).toEqual(['badge.update'])
  })

  test('are not those of groups', async () => {
    const { token } = await makeAdmin()
    const { user } = await makeCaller()
    const ofGroup = await makeBadge({ groupId: (await makeGroup()).id })
    for (const id of [ofGroup.id, newId()]) {
      const at = `/v1/admin/badges/${id}`
      for (const { status, body } of [
        await patch(at, { token, json: { name: 'X' } }),
        await del(at, { token }),
        await post(`${at}/award/${user.id}`, { token }),
        await del(`${at}/award/${user.id}`, { token }),
      ])
        expect([status, body]).toEqual([404, { error: 'Badge not found', code: 'not_found' }])
    }
    expect(await auditOf(ofGroup.id)).toEqual([])
  })

  test('are given and taken, by id or username, also to people who hide, and each time written down', async () => {
    const { user: admin, token } = await makeAdmin()
    const badge = await makeBadge({ points: 40 })
    const at = `/v1/admin/badges/${badge.id}/award`
    const [open, hiding] = [await makeUser(), await makeUser({ profileVisibility: 'private' })]
    const given = await post(`${at}/${open.username?.toUpperCase()}`, { token })
    expect([given.status, given.body]).toEqual([201, { data: { success: true } }])
    expect((await post(`${at}/${hiding.id}`, { token })).status).toBe(201)
    const again = await post(`${at}/${open.id}`, { token })
    expect([again.status, again.body.code]).toEqual([409, 'conflict'])
    expect(await scoreOf(open.id)).toMatchObject({ xp: 40, badgeCount: 1, at: expect.any(Date) })
    const [row] = await db.select().from(badgeAwards).where(eq(badgeAwards.userId, hiding.id))
    expect(row).toMatchObject({ source: 'admin', points: 40, isPublic: false, groupId: null })
    expect((await del(`${at}/${open.username}`, { token })).status).toBe(204)
    expect((await del(`${at}/${open.username}`, { token })).body.error).toBe('Award not found')
    expect(await scoreOf(open.id)).toMatchObject({ xp: 0, badgeCount: 0 })
    const entry = { targetType: 'badge', actorId: admin.id, requestId: expect.any(String) }
    expect(await auditOf(badge.id)).toEqual([
      { ...entry, action: 'badge.award', changes: { userId: open.id } },
      { ...entry, action: 'badge.award', changes: { userId: hiding.id } },
      { ...entry, action: 'badge.revoke', changes: { userId: open.id } },
    ])
    expect(await scoreEventsOf(open.id)).toEqual([
      { userId: open.id, groupId: null, change: 40 },
      { userId: open.id, groupId: null, change: -40 },
    ])
  })

  test('are nothing for people who are suspended or not there', async () => {
    const { token } = await makeAdmin()
    const badge = await makeBadge()
    const suspended = await makeUser({ suspendedAt: new Date() })
    await giveBadge(badge.id, suspended.id)
    for (const who of [suspended.id, suspended.username, newId(), 'nobody-of-that-name'])
      for (const ask of [post, del]) {
        const { status, body } = await ask(`/v1/admin/badges/${badge.id}/award/${who}`, { token })
        expect([who, status, body.error]).toEqual([who, 404, 'User not found'])
      }
    expect(await auditOf(badge.id)).toEqual([])
  })

  test('need an administrator', async () => {
    const { user, token } = await makeCaller(['admin'])
    const badge = await makeBadge()
    for (const { status, body } of [
      await get('/v1/admin/badges', { token }),
      await post('/v1/admin/badges', { token, json: newBadge() }),
      await patch(`/v1/admin/badges/${badge.id}`, { token, json: { points: 1 } }),
      await del(`/v1/admin/badges/${badge.id}`, { token }),
      await post(`/v1/admin/badges/${badge.id}/award/${user.id}`, { token }),
      await del(`/v1/admin/badges/${badge.id}/award/${user.id}`, { token }),
    ])
      expect([status, body.code]).toEqual([403, 'insufficient_scope'])
  })
})
