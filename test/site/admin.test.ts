import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { badges } from '@/db/tables/badges'
import { groups } from '@/db/tables/groups'
import { users } from '@/db/tables/users'
import { get, post } from '../support/api'
import { makeCaller, makeGroup, makeUser } from '../support/make'
import { alarmIn, makeVisitor, noticeIn } from '../support/visitor'

const HOSTILE = `<img src=x onerror="alert(1)">'"&`
const ROOMS = [
  '',
  '/users',
  '/groups',
  '/claims',
  '/badges',
  '/achievements',
  '/tags',
  '/designs',
  '/audit',
  '/jobs',
]

const makeAdminVisitor = async (language?: string) => makeVisitor(await makeUser({ role: 'admin' }), language)

describe('who may see them', () => {
  test('administrators, in both languages; others are refused, and strangers sent to the sign-in', async () => {
    const [admin, german, other] = [
      await makeAdminVisitor(),
      await makeAdminVisitor('de'),
      await makeVisitor(),
    ]
    for (const room of ROOMS) {
      const path = `/admin${room}`
      expect([path, (await admin.open(path)).status]).toEqual([path, 200])
      expect([path, (await other.open(path)).status]).toEqual([path, 403])
      expect([path, (await get(path, { headers: { accept: 'text/html' } })).status]).toEqual([path, 303])
      const { text } = await german.open(path)
      expect(text).toContain('Verwaltung')
      expect(text).not.toMatch(/Suspend|Delete|Audit log|Waiting/)
    }
  })

  test('others get a readable error', async () => {
    for (const [language, said] of [
      ['en', 'Only administrators can open this page.'],
      ['de', 'Hier hat nur die Verwaltung Zutritt.'],
    ] as const) {
      const { text } = await (await makeVisitor(undefined, language)).open('/admin/users')
      expect([text.includes(said), /token|scope/i.test(text)]).toEqual([true, false])
    }
  })

  test('others can send nothing either', async () => {
    const [other, victim, group] = [await makeVisitor(), await makeUser(), await makeGroup()]
    for (const [room, deed, fields] of [
      ['users', 'standing', { userId: victim.id, suspended: 'true' }],
      ['users', 'role', { userId: other.id, role: 'admin' }],
      ['users', 'delete', { userId: victim.id }],
      ['groups', 'standing', { groupId: group.id, isFeatured: 'on' }],
      ['groups', 'invite', { groupId: group.id, autoApprove: 'true' }],
      ['tags', 'mint', { count: '1' }],
      ['badges', 'create', { name: 'x', slug: 'x', icon: '🏅' }],
    ] as const)
      expect([deed, (await other.send(`/admin/${room}`, deed, fields)).status]).toEqual([deed, 403])
    expect((await db.select().from(users).where(eq(users.id, victim.id)))[0]?.suspendedAt).toBeNull()
  })
})

test('people are found, suspended and let back in, given a role, deleted', async () => {
  const admin = await makeAdminVisitor()
  const person = await makeUser({ name: HOSTILE })
  const { text } = await admin.open(`/admin/users?search=${person.username}`)
  expect([text.includes(person.email as string), text.includes('<img src=x')]).toEqual([true, false])
  const row = async () => (await db.select().from(users).where(eq(users.id, person.id)))[0]
  const send = (deed: string, fields: Record<string, string>) =>
    admin.send('/admin/users', deed, { userId: person.id, ...fields })
  expect((await send('standing', { suspended: 'true' })).status).toBe(303)
  expect((await row())?.suspendedAt).not.toBeNull()
  await send('standing', { suspended: 'false' })
  expect((await row())?.suspendedAt).toBeNull()
  await send('role', { role: 'admin' })
  expect((await row())?.role).toBe('admin')
  await send('role', { role: 'user' })
  const gone = await send('delete', {})
  expect(noticeIn(await admin.open(gone.headers.get('location') as string))).toBe('Deleted.')
  expect((await admin.open(`/admin/users?search=${person.username}`)).text).toContain('No people found')
  const audit = await admin.open(`/admin/audit?action=user.update`)
  expect(audit.text).toContain(person.id)
  expect((await admin.open('/admin/audit?action=user.update&from=2999-01-01')).text).not.toContain(person.id)
})

test('groups are featured and unlisted, and their owners invited', async () => {
  const [admin, group] = [await makeAdminVisitor(), await makeGroup()]
  await admin.send('/admin/groups', 'standing', {
    groupId: group.id,
    isFeatured: 'on',
    maxBadges: '3',
    maxBadgePoints: '9',
  })
  expect((await db.select().from(groups).where(eq(groups.id, group.id)))[0]).toMatchObject({
    isFeatured: true,
    isListed: false,
    maxBadges: 3,
    maxBadgePoints: 9,
  })
  expect((await admin.open(`/admin/groups?search=${group.urlname}`)).text).toContain(group.name)
  const audit = (await admin.open('/admin/audit?action=group.update')).text
  expect(audit).toContain(`group <bdi>${group.name}</bdi>`)
  expect(audit).toMatch(/<code>group\.update<\/code> <bdi>Person [^<]*<\/bdi> <span class="quiet">@/)
  const invited = await admin.send('/admin/groups', 'invite', { groupId: group.id, autoApprove: 'true' })
  const token = /groups\/claim\/(\w+)/.exec(invited.text)?.[1]
  expect((await get(`/v1/groups/claim/${token}`)).body.data.claimable).toBe(true)
})

test('requests for groups are granted and turned down, once', async () => {
  const [admin, first, second] = [await makeAdminVisitor(), await makeGroup(), await makeGroup()]
  const { token, user } = await makeCaller(['manage:groups'])
  const asked = await Promise.all(
    [first, second].map(({ urlname }) =>
      post(`/v1/groups/${urlname}/claim`, { token, json: { notes: HOSTILE } }),
    ),
  )
  const [granted, refused] = asked.map(({ body }) => body.data.requestId as string) as [string, string]
  const { text } = await admin.open('/admin/claims')
  expect([text.includes(user.name), text.includes('<img src=x')]).toEqual([true, false])
  expect((await admin.send('/admin/claims', 'approve', { requestId: granted })).status).toBe(303)
  expect((await admin.send('/admin/claims', 'approve', { requestId: granted })).status).toBe(409)
  expect((await admin.send('/admin/claims', 'reject', { requestId: refused, notes: 'No' })).status).toBe(303)
  expect((await get('/v1/manage/groups', { token })).body.data).toHaveLength(1)
})

test('badges of the platform are made, changed, given, linked, deleted', async () => {
  const [admin, person] = [await makeAdminVisitor(), await makeUser()]
  const slug = `p-${person.id.slice(-10)}`
  const fields = {
    name: HOSTILE,
    slug,
    icon: '🎈',
    points: '500',
    color: '#123456',
    sortOrder: '0',
    hidden: 'on',
  }
  const made = await admin.send('/admin/badges', 'create', fields)
  const at = (made.headers.get('location') ?? '').split('?')[0] as string
  expect((await admin.open(at)).text).not.toContain('<img src=x')
  await admin.send(at, 'save', { ...fields, name: 'Balloon', hidden: '' })
  const [row] = await db.select().from(badges).where(eq(badges.slug, slug))
  expect(row).toMatchObject({ name: 'Balloon', points: 500 })
  expect((await admin.send(at, 'award', { userId: person.username as string })).status).toBe(303)
  expect((await admin.send(at, 'revoke', { userId: person.username as string })).status).toBe(303)
  const link = await admin.send('/admin/badges', 'link', { badgeId: row?.id as string })
  const code = /\/claim\/(\w+)/.exec(link.text)?.[1]
  expect((await get(`/v1/claim/${code}`)).body.data.claimable).toBe(true)
  expect((await admin.send(at, 'delete')).status).toBe(303)
  expect((await admin.open(at)).status).toBe(404)
})

test('achievements are switched off and on', async () => {
  const admin = await makeAdminVisitor()
  const { token } = await makeCaller(['admin'], { role: 'admin' })
  const key = `site-${admin.id.slice(-10)}`
  await post('/v1/admin/achievements', {
    token,
    json: { key, name: HOSTILE, targetValue: 1, eventType: 'checkin.created', enabled: false },
  })
  const { text } = await admin.open('/admin/achievements')
  expect(text).not.toContain('<img src=x')
  expect((await admin.send('/admin/achievements', 'switch', { key, enabled: 'true' })).status).toBe(303)
  expect((await admin.send('/admin/achievements', 'switch', { key, enabled: 'false' })).status).toBe(303)
})

test('tags are minted with a file to write them from, in a design that was added', async () => {
  const admin = await makeAdminVisitor()
  const id = `d-${admin.id.slice(-10)}`
  expect(
    (await admin.send('/admin/designs', 'create', { id, name: HOSTILE, themeColor: 'ocean' })).status,
  ).toBe(303)
  const again = await admin.send('/admin/designs', 'create', { id, name: 'x' })
  expect([again.status, alarmIn(again)]).toEqual([409, 'A design with this name exists already.'])
  const minted = await admin.send('/admin/tags', 'mint', { count: '3', designId: id })
  expect(minted.status).toBe(200)
  expect(minted.text).not.toContain('<img src=x')
  const file = await get(/href="(\/downloads\/[^"]+)"/.exec(minted.text)?.[1] as string)
  expect(file.text.trim().split('\n')).toHaveLength(4)
  const many = await admin.send('/admin/tags', 'mint', { count: '1001' })
  expect([many.status, alarmIn(many)]).toEqual([400, 'How many must be a whole number from 1 to 1000.'])
})
