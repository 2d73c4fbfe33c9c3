import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { listeners } from '@/areas'
import { db } from '@/db/client'
import { users } from '@/db/tables/users'
import { del, patch, post } from '../../../support/api'
import { drain } from '../../../support/drain'
import { mailsAfter } from '../../../support/letters'
import { type MadeUser, makeCaller, makeUser } from '../../../support/make'
import { later } from '../../../support/time'

const MINUTE = 60_000
const GATHERED = 16 * MINUTE
const DAY = 24 * 60 * MINUTE

type Person = Awaited<ReturnType<typeof makeCaller>>

const follow = async ({ token }: Person, { username }: MadeUser) => {
  expect((await post(`/v1/users/${username}/follow`, { token })).status).toBe(201)
  await drain(listeners)
}
const unfollow = async ({ token }: Person, { username }: MadeUser) => {
  expect((await del(`/v1/users/${username}/follow`, { token })).status).toBe(204)
  await drain(listeners)
}

const subjects = async (ms: number, person: MadeUser) =>
  (await mailsAfter(ms, person)).map(({ subject }) => subject)

describe('a followed person', () => {
  test('is written to a while later, of all who came together', async () => {
    const ada = await makeUser()
    const fans = [await makeCaller(), await makeCaller(), await makeCaller()]
    for (const fan of fans) await follow(fan, ada)
    expect(await subjects(0, ada)).toEqual([])
    const [mail, ...more] = await mailsAfter(GATHERED, ada)
    expect([mail?.subject, more]).toEqual(['3 people follow you', []])
    for (const { user } of fans) {
      expect(mail?.text).toContain(`“${user.name}”`)
      expect(mail?.html).toContain(`/u/${user.username}"`)
    }
    expect(mail?.text).toContain('/unsubscribe/newFollower.')
  })

  test('reads their names inside alone, on one line and in the order of writing', async () => {
    const [ada, fan] = [await makeUser(), await makeCaller()]
    const name = 'Eve\u2028Your account is closed\u0085\u202ereversed\u2069'
    await db.update(users).set({ name }).where(eq(users.id, fan.user.id))
    await follow(fan, ada)
    const [mail] = await mailsAfter(GATHERED, ada)
    expect(mail?.subject).toBe('You have a new follower')
    for (const form of [mail?.text, mail?.html]) {
      expect(form).toContain('“Eve Your account is closed reversed”')
      expect(form).not.toMatch(/[\x85\u2028\u2029\u202a-\u202e\u2066-\u2069]/)
    }
  })

  test('gets at most one email a day, which mentions each follower once ever', async () => {
    const [ada, ben, eve] = [await makeUser(), await makeCaller(), await makeCaller()]
    await follow(ben, ada)
    const first = 'You have a new follower'
    expect(await subjects(GATHERED, ada)).toEqual([first])
    await later(2 * GATHERED, () => follow(eve, ada))
    await later(2 * GATHERED, () => unfollow(ben, ada))
    await later(2 * GATHERED, () => follow(ben, ada))
    expect(await subjects(DAY, ada)).toEqual([first])
    expect(await subjects(DAY + GATHERED, ada)).toEqual([first, first])
    await later(DAY + GATHERED, () => unfollow(ben, ada))
    await later(DAY + GATHERED, () => follow(ben, ada))
    expect((await subjects(4 * DAY, ada)).length).toBe(2)
  })

  test.each<[string, (fan: Person, ada: MadeUser) => Promise<unknown>]>([
    ['unfollowed', unfollow],
    ['hid', ({ token }) => patch('/v1/profile', { token, json: { profileVisibility: 'private' } })],
    [
      'was suspended',
      ({ user }) => db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, user.id)),
    ],
    ['left', ({ user }) => db.delete(users).where(eq(users.id, user.id))],
  ])('does not hear of somebody who %s before the letter goes', async (_, change) => {
    const [ada, ben, eve] = [await makeUser(), await makeCaller(), await makeCaller()]
    await follow(ben, ada)
    await follow(eve, ada)
    await change(ben, ada)
    const [mail, ...more] = await mailsAfter(GATHERED, ada)
    expect([mail?.subject, more]).toEqual(['You have a new follower', []])
    expect(mail?.text).toContain(`“${eve.user.name}”`)
    expect(mail?.text).not.toContain(ben.user.name)
    const alone = await makeUser()
    const last = await makeCaller()
    await follow(last, alone)
    await change(last, alone)
    expect(await subjects(GATHERED, alone)).toEqual([])
  })

  test('is not written to who does not want it, is suspended or has no address', async () => {
    const fan = await makeCaller()
    const ada = await makeCaller()
    const off = { token: ada.token, json: { newFollower: false } }
    await follow(fan, ada.user)
    await patch('/v1/profile/notifications', off)
    expect(await subjects(GATHERED, ada.user)).toEqual([])
    const eve = await makeCaller()
    await patch('/v1/profile/notifications', { token: eve.token, json: { newFollower: false } })
    await follow(fan, eve.user)
    await patch('/v1/profile/notifications', { token: eve.token, json: { newFollower: true } })
    expect(await subjects(GATHERED, eve.user)).toEqual([])
    const barred = await makeUser()
    await follow(fan, barred)
    await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, barred.id))
    expect(await subjects(GATHERED, barred)).toEqual([])
    await follow(fan, await makeUser({ email: null }))
  })

  test('reads names as names, in their own language', async () => {
    const ada = await makeUser({ language: 'de' })
    const fan = await makeCaller(['user'], { name: `<b>Win</b> ${'x'.repeat(90)}` })
    await follow(fan, ada)
    const [mail] = await mailsAfter(GATHERED, ada)
    expect(mail?.subject).toBe('Jemand Neues folgt dir')
    expect(mail?.text).toMatch(/„<b>Win<\/b> x+…“/)
    expect(mail?.html).toContain('&lt;b&gt;Win')
    expect(mail?.html).not.toContain('<b>Win')
    expect(mail?.text).toContain('Du bekommst das, weil dir jemand folgt.')
  })

  test('sees the number of further followers', async () => {
    const ada = await makeUser()
    for (let i = 0; i < 13; i += 1) await follow(await makeCaller(), ada)
    const [mail] = await mailsAfter(GATHERED, ada)
    expect(mail?.subject).toBe('13 people follow you')
    expect(mail?.text.match(/^\* /gm)?.length).toBe(10)
    expect(mail?.text).toContain('… and 3 more')
  })
})
