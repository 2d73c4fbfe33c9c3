import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { auditLog } from '@/db/tables/administration'
import { type Answer, del, get, patch } from '../../support/api'
import { makeAdmin, makeGroup, makeUser } from '../../support/make'

const ids = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id)

/** Entries of one administrator, a minute apart, the oldest first. */
async function entries(actorId: string, actions: string[]) {
  const rows = actions.map((action, i) => ({
    id: newId(),
    at: new Date(Date.UTC(2026, 0, 1, 12, i)),
    actorId,
    action,
    targetType: 'thing',
    targetId: `thing-${i}`,
    changes: {},
    requestId: `request-${i}`,
  }))
  await db.insert(auditLog).values(rows)
  return rows
}

describe('the audit log', () => {
  test('shows what was done, by whom, to what, and with which request', async () => {
    const { token, user } = await makeAdmin()
    const group = await makeGroup()
    const done = await patch(`/v1/admin/groups/${group.id}`, { token, json: { isFeatured: true } })
    const { status, body } = await get(`/v1/admin/audit-log?actor=${user.id}`, { token })
    expect(status).toBe(200)
    expect(body.data).toEqual([
      {
        id: expect.any(String),
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        actorId: user.id,
        actor: user.username,
        actorName: user.name,
        action: 'group.update',
        targetType: 'group',
        targetId: group.id,
        targetName: group.name,
        changes: { isFeatured: { from: false, to: true } },
        requestId: done.headers.get('x-request-id'),
      },
    ])
    expect(body.pagination).toEqual({ limit: 20, hasMore: false, offset: 0 })
    expect(Math.abs(Date.parse(body.data[0].at) - Date.now())).toBeLessThan(60_000)
  })

  test('is read newest first, page by page, forth and back', async () => {
    const { token, user } = await makeAdmin()
    const rows = await entries(user.id, ['a.a', 'b.b', 'c.c', 'd.d', 'e.e'])
    const newestFirst = rows.map(({ id }) => id).reverse()
    const first = await get(`/v1/admin/audit-log?actor=${user.id}&limit=2`, { token })
    const second = await get(
      `/v1/admin/audit-log?actor=${user.id}&limit=2&cursor=${first.body.pagination.nextCursor}`,
      { token },
    )
    expect([...ids(first), ...ids(second)]).toEqual(newestFirst.slice(0, 4))
    const back = await get(
      `/v1/admin/audit-log?actor=${user.id}&limit=2&before=${second.body.pagination.prevCursor}`,
      { token },
    )
    expect(ids(back)).toEqual(newestFirst.slice(0, 2))
    expect(
      (await get(`/v1/admin/audit-log?limit=2&cursor=${first.body.pagination.nextCursor}`, { token })).status,
    ).toBe(400)
  })

  test('is filtered by actor, action and time, both ends included', async () => {
    const { token, user } = await makeAdmin()
    const rows = await entries(user.id, ['a.a', 'b.b', 'a.a', 'b.b'])
    const other = await makeUser({ role: 'admin' })
    await entries(other.id, ['a.a'])
    const seen = async (query: string) =>
      (await get(`/v1/admin/audit-log?${query}`, { token })).body.data.map(
        ({ targetId }: { targetId: string }) => targetId,
      )
    for (const actor of [user.id, user.username, user.username?.toUpperCase()]) {
      expect(await seen(`actor=${actor}`)).toEqual(['thing-3', 'thing-2', 'thing-1', 'thing-0'])
      expect(await seen(`actor=${actor}&action=a.a`)).toEqual(['thing-2', 'thing-0'])
    }
    const [from, to] = [rows[1]?.at.toISOString(), rows[2]?.at.toISOString()]
    expect(await seen(`actor=${user.id}&from=${from}&to=${to}`)).toEqual(['thing-2', 'thing-1'])
    expect(await seen(`actor=${user.id}&from=${to}`)).toEqual(['thing-3', 'thing-2'])
    expect(await seen('actor=nobody-of-that-name')).toEqual([])
    expect(await seen(`actor=${user.id}&action=none`)).toEqual([])
    expect((await get('/v1/admin/audit-log?from=yesterday', { token })).body.code).toBe('validation_error')
  })

  test('outlives the people in it, and keeps nothing that they wrote', async () => {
    const { token } = await makeAdmin()
    const actor = await makeAdmin()
    const target = await makeUser({ name: 'Wilhelmina Unmistakable', bio: 'Very personal' })
    await patch(`/v1/admin/users/${target.id}`, { token: actor.token, json: { suspended: true } })
    await del(`/v1/admin/users/${target.username}`, { token: actor.token })
    await del(`/v1/admin/users/${actor.user.id}`, { token })
    const answer = await get(`/v1/admin/audit-log?actor=${actor.user.id}`, { token })
    expect(answer.body.data).toMatchObject([
      { actorId: actor.user.id, actor: null, action: 'user.delete', targetId: target.id, changes: {} },
      { actor: null, action: 'user.update', changes: { suspended: { from: false, to: true } } },
    ])
    for (const { name, email, username } of [target, actor.user])
      for (const personal of [name, email, username, 'Very personal'])
        expect(answer.text).not.toContain(personal as string)
  })

  test('cannot be changed, not even by SQL', async () => {
    const { user } = await makeAdmin()
    const [row] = await entries(user.id, ['a.a'])
    const [{ owns } = { owns: false }] = await db.execute<{ owns: boolean }>(
      sql`select tableowner = current_user as owns from pg_tables where tablename = 'audit_log'`,
    )
    expect(owns).toBe(true)
    const id = row?.id as string
    for (const statement of [
      sql`update audit_log set action = 'x' where id = ${id}`,
      sql`update audit_log set action = 'x' where false`,
      sql`delete from audit_log where id = ${id}`,
      sql`truncate audit_log`,
      sql`insert into audit_log select * from audit_log where id = ${id} on conflict (id) do update set action = 'x'`,
    ]) {
      const state = await db.execute(statement).then(
        () => 'done',
        (error: { cause: { code: string } }) => error.cause.code,
      )
      expect(state).toBe('42501')
    }
    expect(await db.select().from(auditLog).where(sql`id = ${id}`)).toMatchObject([{ action: 'a.a' }])
  })
})
