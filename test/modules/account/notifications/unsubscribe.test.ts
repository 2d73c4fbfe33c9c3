import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { config } from '@/config/config'
import { newId } from '@/core/ids'
import type { MailKind } from '@/core/mail-kinds'
import { db } from '@/db/client'
import { mailSwitches } from '@/db/tables/mails'
import { users } from '@/db/tables/users'
import { unsubscribeUrl } from '@/mail/unsubscribe'
import { call, get, post } from '../../../support/api'
import { makeUser } from '../../../support/make'

const pathOf = (userId: string, kind: MailKind = 'newFollower') =>
  unsubscribeUrl({ userId, kind }).slice(config.baseUrl.length)

const switchesOf = async (userId: string) =>
  Object.fromEntries(
    (await db.select().from(mailSwitches).where(eq(mailSwitches.userId, userId))).map(({ kind, isOn }) => [
      kind,
      isOn,
    ]),
  )

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const ONE_CLICK = 'List-Unsubscribe=One-Click'

describe('the address that stops a kind of mail', () => {
  test('asks, and changes nothing however often programs open it', async () => {
    const { id } = await makeUser()
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, headers } = await call(method, pathOf(id))
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    }
    const { text } = await get(pathOf(id), { headers: { 'accept-language': 'de' } })
    expect(text).toContain('„Neue Follower“')
    expect(text).toContain('<form method="post">')
    expect(text).toContain('name="robots" content="noindex"')
    expect(await switchesOf(id)).toEqual({})
  })

  test.each([
    ['a form', FORM, ONE_CLICK],
    [
      'a form with parts',
      { 'content-type': 'multipart/form-data; boundary=x' },
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
    ['no body', {}, ''],
    [
      'another site’s page',
      { ...FORM, origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' },
      ONE_CLICK,
    ],
    ['a cookie of a session that ended', { ...FORM, cookie: 'session=ended' }, ONE_CLICK],
  ])('stops it by one press in a mail program, sent as %s', async (_, headers, body) => {
    const { id } = await makeUser()
    const { status, headers: answered } = await post(pathOf(id), { headers, body })
    expect([status, answered.get('location')]).toEqual([200, null])
    expect(await switchesOf(id)).toEqual({ newFollower: false })
  })

  test('stops this kind alone, again and again, and can be taken back', async () => {
    const { id } = await makeUser()
    await post(pathOf(id, 'badgeEarned'), { headers: FORM, body: ONE_CLICK })
    const again = await post(pathOf(id, 'badgeEarned'), { headers: FORM, body: ONE_CLICK })
    expect([again.status, await switchesOf(id)]).toEqual([200, { badgeEarned: false }])
    expect(again.text).toContain('name="undo" value="1"')
    const undone = await post(pathOf(id, 'badgeEarned'), { headers: FORM, body: 'undo=1' })
    expect([undone.status, await switchesOf(id)]).toEqual([200, { badgeEarned: true }])
    expect(undone.text).not.toContain('name="undo"')
  })

  test('is invalid after any change of a letter, and the response repeats nothing', async () => {
    const [{ id }, other] = [await makeUser(), await makeUser()]
    const path = pathOf(id)
    const sealed = path.split('.').at(-1) as string
    const forged = [
      path.replace('newFollower', 'badgeEarned'),
      path.replace(id, other.id),
      path.slice(0, -1),
      `${path}x`,
      `${path}.x`,
      `${path}.`,
      path.replace(sealed, ''),
      path.replace('newFollower', 'constructor'),
      '/unsubscribe/%3Cscript%3E',
      '/unsubscribe/..%2f..',
      '/unsubscribe/%00',
    ]
    for (const wrong of forged)
      for (const method of ['GET', 'POST']) {
        const answer = await call(method, wrong, method === 'POST' ? { headers: FORM, body: ONE_CLICK } : {})
        expect([wrong, method, answer.status]).toEqual([wrong, method, 410])
        expect(answer.text).not.toContain(sealed.slice(0, 20))
        expect(answer.text).not.toContain('<script>')
      }
    expect([await switchesOf(id), await switchesOf(other.id)]).toEqual([{}, {}])
  })

  test('ends with the account, and works for suspended people', async () => {
    const [left, barred] = [await makeUser(), await makeUser({ suspendedAt: new Date() })]
    await db.delete(users).where(eq(users.id, left.id))
    for (const id of [left.id, newId()]) {
      expect((await get(pathOf(id))).status).toBe(410)
      expect((await post(pathOf(id), { headers: FORM, body: ONE_CLICK })).status).toBe(410)
    }
    expect((await post(pathOf(barred.id), { headers: FORM, body: ONE_CLICK })).status).toBe(200)
    expect(await switchesOf(barred.id)).toEqual({ newFollower: false })
  })
})
