import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { DAY_MS } from '@/core/clock'
import { randomHex } from '@/core/codes'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { sessions } from '@/db/tables/credentials'
import { identities } from '@/db/tables/sign-in'
import { users } from '@/db/tables/users'
import { del, get, post } from '../../../support/api'
import { makeSession, makeToken, makeUser } from '../../../support/make'
import { meanwhile } from '../../../support/meanwhile'
import { alarmIn, makeVisitor } from '../../../support/visitor'
import { makeClient, makeTokens } from '../../access/oauth/fixtures'
import {
  ask,
  askAndRead,
  later,
  mailsTo,
  me,
  newAddress,
  signIn,
  submit,
} from '../../access/sign-in/fixtures'
import { CONFIRM, change, makePerson, move, open, press, tokensTo, UNDO } from './fixtures'

const VERIFY = '/auth/email/verify'

const addressOf = async (id: string) => (await db.select().from(users).where(eq(users.id, id)))[0]?.email

describe('changing the address', () => {
  test('takes a question, a link to the new address, and a button', async () => {
    const { user, old, session } = await makePerson()
    const to = newAddress()
    expect((await change(session, to.toUpperCase())).body).toEqual({ data: { success: true } })
    expect((await me(session)).email).toBe(old)
    const [token = ''] = await tokensTo(to, CONFIRM)
    const page = await open(CONFIRM, token, session)
    expect(page.status).toBe(200)
    expect(page.text).toContain(`@${user.username}`)
    expect(page.headers.get('cache-control')).toContain('no-store')
    // Programs that look into mail open links.
    expect(await addressOf(user.id)).toBe(old)
    const pressed = await press(CONFIRM, token, session)
    expect([pressed.status, (await me(session)).email]).toEqual([200, to])
    expect((await press(CONFIRM, token)).status).toBe(410)
    expect((await me(await signIn(to))).id).toBe(user.id)
  })

  test('is confirmed by its own account alone, and leaves no other way in', async () => {
    const { user, old, session } = await makePerson()
    const [stranger, elsewhere] = [await makePerson(), await makeSession(user.id)]
    const { token: personal } = await makeToken(user.id, ['read:user'])
    const granted = await makeTokens(await makeClient(), { session: elsewhere, scope: 'read:user' })
    const to = newAddress()
    await change(session, to)
    const [token = ''] = await tokensTo(to, CONFIRM)
    const pages = [await open(CONFIRM, token), await open(CONFIRM, token, stranger.session)]
    for (const { status, text } of pages) {
      expect([status, text.includes('name="token"')]).toEqual([200, false])
      // The mailbox may be a stranger's: the page names neither the account nor its owner.
      for (const secret of [user.username as string, user.name]) expect(text).not.toContain(secret)
    }
    expect(pages[0]?.text).toContain('Open this link in the browser in which you asked for the change')
    expect(pages[1]?.text).toContain('signed in to another account')
    for (const other of [undefined, stranger.session])
      expect((await press(CONFIRM, token, other)).status).toBe(403)
    expect(await addressOf(user.id)).toBe(old)
    expect((await press(CONFIRM, token, session)).status).toBe(200)
    const ways = [{ session }, { session: elsewhere }, { token: personal }, { token: granted.access }]
    const answers = await Promise.all(ways.map((way) => get('/v1/me', way)))
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 401, 401])
    expect((await get('/v1/profile/grants', { session })).body.data).toEqual([])
  })

  test('tells the old address, without the new one, and the new address nothing of the person', async () => {
    const { user, old, session } = await makePerson()
    const to = newAddress()
    await move(session, to)
    const notices = await mailsTo(old)
    expect(notices.map(({ subject }) => subject)).toEqual([
      expect.stringContaining('was changed'),
      expect.stringContaining('wants to change'),
    ])
    for (const { text, html } of notices) expect(text + html).not.toContain(to)
    const [letter] = await mailsTo(to)
    for (const word of [user.name, user.username as string, old])
      expect(`${letter?.subject}${letter?.text}${letter?.html}`).not.toContain(word)
  })

  test('is asked for by a session, with an address, and not with one’s own', async () => {
    const { user, old, session } = await makePerson()
    const { token } = await makeToken(user.id, ['user', 'user:email'])
    const asked = await post('/v1/profile/email', { token, json: { email: newAddress() } })
    expect(asked.status).toBe(403)
    for (const email of ['x', 'a@b@c', `${'x'.repeat(300)}@y.example`, '', 5, 'ä@y.example'])
      expect((await change(session, email as string)).status).toBe(400)
    expect((await change(session, old.toUpperCase())).status).toBe(400)
    expect(await mailsTo(old)).toEqual([])
  })

  test('the newest question counts; its first notice undoes it as well', async () => {
    const { user, old, session } = await makePerson()
    const [first, second] = [newAddress(), newAddress()]
    await change(session, first)
    const [stale = ''] = await tokensTo(first, CONFIRM)
    const [undo = ''] = await tokensTo(old, UNDO)
    expect((await move(session, second)).confirmed.status).toBe(200)
    expect((await press(CONFIRM, stale)).status).toBe(410)
    expect(await addressOf(user.id)).toBe(second)
    expect((await press(UNDO, undo)).status).toBe(200)
    expect(await addressOf(user.id)).toBe(old)
  })

  test('a link is valid for a day, while the requesting session is signed in', async () => {
    const { user, old, session } = await makePerson()
    const to = newAddress()
    await change(session, to)
    const [token = ''] = await tokensTo(to, CONFIRM)
    expect((await later(DAY_MS + 1000, () => press(CONFIRM, token))).status).toBe(410)
    await db.delete(sessions).where(eq(sessions.userId, user.id))
    expect([(await open(CONFIRM, token)).status, (await press(CONFIRM, token)).status]).toEqual([410, 410])
    expect(await addressOf(user.id)).toBe(old)
  })

  test('nonsense instead of a secret is a link that does not work', async () => {
    for (const path of [CONFIRM, UNDO])
      for (const token of ['', 'x', 'f'.repeat(64), `${'f'.repeat(63)}'`, 'F'.repeat(64)]) {
        expect((await open(path, encodeURIComponent(token))).status).toBe(410)
        expect((await press(path, token)).status).toBe(410)
      }
    const elsewhere = { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } }
    expect((await submit(CONFIRM, { token: 'f'.repeat(64) }, elsewhere)).status).toBe(403)
  })

  test('requests are rate-limited', async () => {
    const { session } = await makePerson()
    const answers: number[] = []
    for (let turn = 0; turn < 6; turn += 1) answers.push((await change(session, newAddress())).status)
    expect(answers).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('strangers who ask for a mailbox fill it no further than one by one, and do not close it to its owner', async () => {
    const to = newAddress()
    const strangers = await Promise.all(Array.from({ length: 12 }, makePerson))
    for (let turn = 0; turn < 2; turn += 1) {
      const answers = await Promise.all(strangers.map(({ session }) => change(session, to)))
      expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    }
    expect(await mailsTo(to)).toHaveLength(strangers.length)
    const owner = await makePerson()
    for (let turn = 0; turn < 2; turn += 1) expect((await change(owner.session, to)).status).toBe(200)
    const [token = '', ...more] = await tokensTo(to, CONFIRM)
    expect(more).toHaveLength(strangers.length)
    expect((await press(CONFIRM, token, owner.session)).status).toBe(200)
    expect(await addressOf(owner.user.id)).toBe(to)
  })

  test('a lost letter is sent again on request', async () => {
    const { session } = await makePerson()
    const to = newAddress()
    for (let turn = 0; turn < 3; turn += 1) await change(session, to)
    expect(await tokensTo(to, CONFIRM)).toHaveLength(3)
  })
})

describe('an address that has an account', () => {
  test('gets the same response and notice; only its mailbox learns of the account', async () => {
    const [asker, holder] = [await makePerson(), await makePerson()]
    const free = newAddress()
    const known = await change(asker.session, holder.old)
    const unknown = await change((await makePerson()).session, free)
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
    const [letter] = await mailsTo(holder.old)
    expect(letter?.text).toContain('already has an account here')
    expect(letter?.text).not.toContain(CONFIRM)
    expect(letter?.subject).toBe((await mailsTo(free))[0]?.subject)
    expect(await tokensTo(asker.old, UNDO)).toHaveLength(1)
    const page = await get('/settings/accounts', { session: asker.session })
    expect(page.text).toContain(holder.old)
  })

  test('of two people who want the same, the first to confirm has it', async () => {
    const [one, two] = [await makePerson(), await makePerson()]
    const to = newAddress()
    await change(one.session, to)
    const [first = ''] = await tokensTo(to, CONFIRM)
    await change(two.session, to)
    const [second = ''] = (await tokensTo(to, CONFIRM)).filter((token) => token !== first)
    const answers = await Promise.all([
      press(CONFIRM, first, one.session),
      press(CONFIRM, second, two.session),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect([await addressOf(one.user.id), await addressOf(two.user.id)].sort()).toEqual(
      [to, (await addressOf(one.user.id)) === to ? two.old : one.old].sort(),
    )
  })

  test('an account made for it in between stays what it is', async () => {
    const { user, old, session } = await makePerson()
    const to = newAddress()
    await change(session, to)
    const [token = ''] = await tokensTo(to, CONFIRM)
    const other = await me(await signIn(to))
    expect((await press(CONFIRM, token, session)).status).toBe(409)
    expect([await addressOf(user.id), await addressOf(other.id)]).toEqual([old, to])
  })
})

describe('undoing from the old address', () => {
  test('takes a button, gives the address back and ends every other way in', async () => {
    const { user, old, session } = await makePerson()
    const { token } = await makeToken(user.id, ['read:user'])
    const feedTokenIn = async (cookie: string) =>
      (await get('/v1/profile/feed-token', { session: cookie })).body.data.feedToken
    const feedToken = await feedTokenIn(session)
    await db
      .insert(identities)
      .values({ id: newId(), userId: user.id, provider: 'github', subject: randomHex(8) })
    const webhook = await post('/v1/developer/webhooks', {
      session,
      json: { url: 'https://example.com/hook', eventTypes: ['*'] },
    })
    expect(webhook.status).toBe(201)
    const to = newAddress()
    await move(session, to)
    const [undo = ''] = await tokensTo(old, UNDO)
    expect((await open(UNDO, undo)).status).toBe(200)
    expect(await addressOf(user.id)).toBe(to)
    expect((await press(UNDO, undo)).status).toBe(200)
    expect(await addressOf(user.id)).toBe(old)
    expect((await get('/v1/me', { session })).status).toBe(401)
    expect((await get('/v1/me', { token })).status).toBe(401)
    expect(await db.$count(identities, eq(identities.userId, user.id))).toBe(0)
    expect([(await open(UNDO, undo)).status, (await press(UNDO, undo)).status]).toEqual([410, 410])
    const back = await signIn(old)
    expect(await me(back)).toMatchObject({ id: user.id, email: old })
    expect(await feedTokenIn(back)).not.toBe(feedToken)
    expect((await get('/v1/developer/webhooks', { session: back })).body.data.webhooks).toMatchObject([
      { id: webhook.body.data.id, isActive: false },
    ])
    // The address that it had in between belongs to nobody.
    expect((await me(await signIn(to))).id).not.toBe(user.id)
  })

  test('works before the confirmation, too: cancels it and ends the requesting session', async () => {
    const { user, old, session } = await makePerson()
    const to = newAddress()
    await change(session, to)
    const [token = ''] = await tokensTo(to, CONFIRM)
    const [undo = ''] = await tokensTo(old, UNDO)
    expect((await press(UNDO, undo)).status).toBe(200)
    expect((await press(CONFIRM, token)).status).toBe(410)
    expect((await get('/v1/me', { session })).status).toBe(401)
    expect(await addressOf(user.id)).toBe(old)
  })

  test('wins over later changes, which cannot undo it', async () => {
    const { user, old, session } = await makePerson()
    const [thief, second] = [newAddress(), newAddress()]
    await move(session, thief)
    await move(session, second)
    const [thiefs = ''] = await tokensTo(thief, UNDO)
    const [undo = ''] = await tokensTo(old, UNDO)
    await later(6 * DAY_MS, async () => {
      expect((await press(UNDO, undo)).status).toBe(200)
      expect(await addressOf(user.id)).toBe(old)
      expect((await press(UNDO, thiefs)).status).toBe(410)
    })
    expect(await addressOf(user.id)).toBe(old)
  })

  test('also when the address in between undid its own change first', async () => {
    const { user, old, session } = await makePerson()
    const [thief, second] = [newAddress(), newAddress()]
    await move(session, thief)
    await move(session, second)
    const [thiefs = ''] = await tokensTo(thief, UNDO)
    expect((await press(UNDO, thiefs)).status).toBe(200)
    expect(await addressOf(user.id)).toBe(thief)
    const [undo = ''] = await tokensTo(old, UNDO)
    expect((await press(UNDO, undo)).status).toBe(200)
    expect(await addressOf(user.id)).toBe(old)
  })

  test('a change back by the owner leaves the address in between no undo', async () => {
    const { user, old, session } = await makePerson()
    const between = newAddress()
    await move(session, between)
    expect((await move(session, old)).confirmed.status).toBe(200)
    expect(await tokensTo(between, UNDO)).toHaveLength(1)
    const [undo = ''] = await tokensTo(between, UNDO)
    expect((await press(UNDO, undo)).status).toBe(410)
    expect([await addressOf(user.id), (await get('/v1/me', { session })).status]).toEqual([old, 200])
  })

  test('ends after seven days', async () => {
    const { user, old, session } = await makePerson()
    const to = newAddress()
    await move(session, to)
    const [undo = ''] = await tokensTo(old, UNDO)
    await later(7 * DAY_MS + 1000, async () => {
      expect([(await open(UNDO, undo)).status, (await press(UNDO, undo)).status]).toEqual([410, 410])
      // From now on the old address is anybody's.
      expect((await me(await signIn(old))).id).not.toBe(user.id)
    })
    expect(await addressOf(user.id)).toBe(to)
  })

  test('is not stood in the way by a sign-in mail that was under way, or by others who want the address', async () => {
    const { user, old, session } = await makePerson()
    const underWay = await askAndRead(old)
    await move(session, newAddress())
    expect((await press(VERIFY, underWay.token)).status).toBe(409)
    await ask(old)
    const [fresh = ''] = await tokensTo(old, VERIFY)
    expect((await press(VERIFY, fresh)).status).toBe(409)
    const other = await makePerson()
    await change(other.session, old)
    expect((await mailsTo(old))[0]?.text).toContain('already has an account here')
    const [undo = ''] = await tokensTo(old, UNDO)
    expect((await press(UNDO, undo)).status).toBe(200)
    expect((await press(VERIFY, fresh)).status).toBe(303)
    expect(await addressOf(user.id)).toBe(old)
  })

  test('a sign-in to the address in between that was under way gets in nowhere', async () => {
    const { user, old, session } = await makePerson()
    const between = newAddress()
    await move(session, between)
    const { token } = await askAndRead(between)
    const answer = await meanwhile(
      (tx) => tx.update(users).set({ email: old }).where(eq(users.id, user.id)),
      () => press(VERIFY, token),
    )
    expect(answer.status).toBe(303)
    expect(await db.$count(sessions, eq(sessions.userId, user.id))).toBe(1)
  })
})

describe('people without an address', () => {
  test('add one in a fresh session: there is no mailbox to warn', async () => {
    const user = await makeUser({ email: null })
    const session = await makeSession(user.id)
    const to = newAddress()
    const late = await later(16 * 60_000, () => change(session, to))
    expect([late.status, late.body.code]).toEqual([403, 'forbidden'])
    const page = await later(16 * 60_000, () => get('/settings/accounts', { session }))
    expect(page.text).toContain('sign in again first')
    expect((await move(session, to)).confirmed.status).toBe(200)
    expect(await addressOf(user.id)).toBe(to)
  })
})

test('a person who was suspended meanwhile gets no other address', async () => {
  const { user, old, session } = await makePerson()
  const to = newAddress()
  await change(session, to)
  const [token = ''] = await tokensTo(to, CONFIRM)
  await db.update(users).set({ suspendedAt: new Date() }).where(eq(users.id, user.id))
  expect((await press(CONFIRM, token)).status).toBe(410)
  expect(await addressOf(user.id)).toBe(old)
})

test('asking for a sign-in mail tells nothing of an address that is held', async () => {
  const { old, session } = await makePerson()
  await move(session, newAddress())
  const [held, unknown] = [await ask(old), await ask(newAddress())]
  expect(held.status).toBe(unknown.status)
})

test('the settings have a form for it, say what waits, and take it back', async () => {
  const { user, old } = await makePerson()
  const visitor = await makeVisitor(user)
  const path = '/settings/accounts'
  await visitor.open(path)
  const wrong = await visitor.send(path, 'email', { email: 'x' })
  expect([wrong.status, alarmIn(wrong)]).toEqual([400, expect.stringContaining('must be an email address')])
  const to = newAddress()
  expect((await visitor.send(path, 'email', { email: to })).status).toBe(303)
  expect((await visitor.open(path)).text).toContain(`<strong>${to}</strong>`)
  const [token = ''] = await tokensTo(to, CONFIRM)
  expect((await visitor.send(path, 'keep-email')).status).toBe(303)
  expect((await visitor.open(path)).text).not.toContain(to)
  expect((await press(CONFIRM, token)).status).toBe(410)
  // Whoever took it back may have been a thief who asks again: the notice stays good.
  expect(await tokensTo(old, UNDO)).toHaveLength(1)
  expect((await open(UNDO, (await tokensTo(old, UNDO))[0] ?? '')).status).toBe(200)
})

describe('an account whose address was changed', () => {
  test('cannot be deleted before its old address could undo that', async () => {
    const { user, old, session } = await makePerson()
    const leave = () => del(`/v1/profile?confirm=${user.username}`, { session })
    await move(session, newAddress())
    const refused = await leave()
    expect([refused.status, refused.body.code]).toEqual([409, 'conflict'])
    expect(refused.body.error).toMatch(
      /can undo that until \d{4}-\d\d-\d\d \d\d:\d\d UTC: undo it with the link/,
    )
    const [undo = ''] = await tokensTo(old, UNDO)
    expect([(await press(UNDO, undo)).status, await addressOf(user.id)]).toEqual([200, old])
    const again = await makeSession(user.id)
    expect((await del(`/v1/profile?confirm=${user.username}`, { session: again })).status).toBe(200)
  })

  test('can be deleted after that, and while a change is only asked for', async () => {
    const [moved, asking] = [await makePerson(), await makePerson()]
    await move(moved.session, newAddress())
    await change(asking.session, newAddress())
    const leave = ({ user, session }: typeof moved) =>
      del(`/v1/profile?confirm=${user.username}`, { session })
    expect((await leave(asking)).status).toBe(200)
    await later(8 * DAY_MS, async () => expect((await leave(moved)).status).toBe(200))
  })

  test('says so on the page, in the language of its reader', async () => {
    const { user, session } = await makePerson()
    await move(session, newAddress())
    const said = async (language: string) => {
      const { send } = await makeVisitor(user, language)
      return alarmIn(await send('/settings/delete', 'delete', { confirm: user.username as string }))
    }
    expect(await said('en')).toContain('Your address was changed recently')
    expect(await said('de')).toMatch(
      /^Deine Adresse wurde kürzlich geändert.* bis \d{4}-\d\d-\d\d \d\d:\d\d UTC/,
    )
  })
})
