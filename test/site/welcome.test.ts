import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import { events, rsvps } from '@/db/tables/events'
import { users } from '@/db/tables/users'
import { browser, startOpenId } from '../modules/access/sign-in/elsewhere'
import { newAddress, secretsOf } from '../modules/access/sign-in/fixtures'
import { apiUrl } from '../support/api'
import { startUploadChecks } from '../support/lanes'
import { makeEvent, makeGroup, makeSession, makeUser } from '../support/make'
import { png } from '../support/uploads'

const HERE = 'http://localhost'

type Browser = ReturnType<typeof browser>

const personWith = async (email: string) => (await db.select().from(users).where(eq(users.email, email)))[0]

const rsvpOf = async (eventId: string, email: string) => {
  const [found] = await db
    .select({ status: rsvps.status })
    .from(rsvps)
    .innerJoin(users, eq(users.id, rsvps.userId))
    .where(and(eq(rsvps.eventId, eventId), eq(users.email, email)))
  return found?.status
}

/** Presses "Count me in" as a stranger, and gives the address of the sign-in. */
async function press(visitor: Browser, eventId: string, headers?: Record<string, string>): Promise<string> {
  const answer = await visitor.go(`${HERE}/events/${eventId}?do=rsvp`, { form: {}, headers })
  expect(answer.status).toBe(303)
  return answer.location as string
}

const returnToIn = (login: string) => new URL(login).searchParams.get('returnTo') ?? '/'

async function askForMail(visitor: Browser, email: string, login: string) {
  await visitor.go(`${HERE}/auth/email`, { form: { email, returnTo: returnToIn(login) } })
  return secretsOf(email)
}

const enter = (visitor: Browser, form: Record<string, string>) =>
  visitor.go(`${HERE}/auth/email/verify`, { form })

/** Sends the form of the welcome page as a browser does, with a file or without. */
async function introduce(
  visitor: Browser,
  at: string,
  fields: Record<string, string>,
  file?: Uint8Array<ArrayBuffer>,
) {
  const { text } = await visitor.go(at)
  const action = /action="(\/welcome[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') as string
  const body = new FormData()
  body.set('csrf', /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '')
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  body.set('file', file ? new File([file], 'me.png', { type: 'image/png' }) : new File([], ''))
  const cookie = [...visitor.jar()].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(apiUrl() + action, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, 'sec-fetch-site': 'same-origin', accept: 'text/html' },
    body,
  })
  const location = response.headers.get('location')
  return { status: response.status, text: await response.text(), location: location && HERE + location }
}

const cancel = (eventId: string) =>
  db.update(events).set({ status: 'cancelled' }).where(eq(events.id, eventId))

const anEvent = async (fields = {}) => (await makeEvent((await makeGroup()).id, fields)).id

describe('the first sign-in', () => {
  test('asks for a name, and never again', async () => {
    const [email, visitor] = [newAddress(), browser()]
    const first = await enter(visitor, { token: (await askForMail(visitor, email, `${HERE}/login`)).token })
    expect(first.location).toBe(`${HERE}/welcome`)
    const shown = await visitor.go(first.location as string)
    expect([shown.status, shown.text.includes('Welcome to')]).toEqual([200, true])
    expect(shown.text).not.toContain('New member"')
    expect(shown.text).toContain('<a href="/">Skip for now</a>')
    const later = browser()
    const second = await enter(later, { token: (await askForMail(later, email, `${HERE}/login`)).token })
    expect(second.location).toBe(`${HERE}/`)
  })

  test('saves name, picture and visibility, and draws a username from the name', async () => {
    const checks = await startUploadChecks()
    try {
      const [email, visitor] = [newAddress(), browser()]
      const { token } = await askForMail(visitor, email, `${HERE}/login?returnTo=/events`)
      const { location } = await enter(visitor, { token })
      expect(location).toBe(`${HERE}/welcome?returnTo=%2Fevents`)
      const last = `Žižek-${randomHex(4)}`
      const fields = { name: `Ada ${last}`, profileVisibility: 'private' }
      const sent = await introduce(visitor, location as string, fields, png())
      expect([sent.status, sent.location]).toEqual([303, `${HERE}/events`])
      expect(await personWith(email)).toMatchObject({
        name: `Ada ${last}`,
        profileVisibility: 'private',
        username: `ada-${last.replaceAll('Ž', 'z').replaceAll('ž', 'z').toLowerCase()}`,
        avatarUrl: expect.stringContaining('/avatar/'),
      })
    } finally {
      await checks.stop()
    }
  })

  test('says what is wrong, keeps what was typed, and takes the next free username', async () => {
    const [email, visitor] = [newAddress(), browser()]
    const taken = await makeUser({ username: `bo-${randomHex(5)}` })
    const { token } = await askForMail(visitor, email, `${HERE}/login`)
    const at = (await enter(visitor, { token })).location as string
    const empty = await introduce(visitor, at, { name: ' ', profileVisibility: 'private' })
    expect([empty.status, empty.text.includes('Your name')]).toEqual([400, true])
    expect(empty.text).toMatch(/value="private" checked/)
    expect((await personWith(email))?.name).toBe('New member')
    const name = (taken.username as string).replace('-', ' ')
    expect((await introduce(visitor, at, { name })).status).toBe(303)
    expect((await personWith(email))?.username).toBe(`${taken.username}-2`)
  })

  test('keeps a name that the provider gave, for the person to look over', async () => {
    const hall = await startOpenId()
    try {
      const [login, email, visitor] = [`n${randomHex(5)}`, newAddress(), browser()]
      hall.people.set(login, { email, email_verified: true, name: 'Ada Byron' })
      const start = await visitor.go(`${HERE}/auth/oidc?returnTo=/groups`)
      const back = await visitor.go(await visitor.identifyAs(login, start.location as string))
      expect(back.location).toBe(`${HERE}/welcome?returnTo=%2Fgroups`)
      expect((await visitor.go(back.location as string)).text).toContain('value="Ada Byron"')
    } finally {
      hall.stop()
    }
  })

  test('redirects only within this server', async () => {
    const visitor = browser()
    visitor.jar().set('session', await makeSession((await makeUser()).id))
    for (const evil of ['//evil.example', 'https://evil.example/', '/\\evil.example', '/auth/oidc']) {
      const at = `${HERE}/welcome?returnTo=${encodeURIComponent(evil)}`
      expect((await visitor.go(at)).text).toContain('<a href="/">Skip for now</a>')
      expect((await introduce(visitor, at, { name: 'Eve' })).location).toBe(`${HERE}/`)
    }
  })

  test('takes nothing from another session, and nothing from another site', async () => {
    const [user, other] = [await makeUser(), await makeUser()]
    const visitor = browser()
    visitor.jar().set('session', await makeSession(user.id))
    const { text } = await visitor.go(`${HERE}/welcome`)
    const body = new FormData()
    body.set('csrf', /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '')
    body.set('name', 'Mallory')
    const send = async (session: string, site: string, form: FormData) =>
      (
        await fetch(`${apiUrl()}/welcome`, {
          method: 'POST',
          redirect: 'manual',
          headers: { cookie: `session=${session}`, 'sec-fetch-site': site, accept: 'text/html' },
          body: form,
        })
      ).status
    const session = visitor.jar().get('session') as string
    // Without any file the fields are never looked at, so nothing may be saved either.
    expect(await send(await makeSession(other.id), 'same-origin', body)).toBe(400)
    body.set('file', new File([], ''))
    expect(await send(await makeSession(other.id), 'same-origin', body)).toBe(403)
    expect(await send(session, 'cross-site', body)).toBe(403)
    const names = await db.select({ name: users.name }).from(users).where(eq(users.name, 'Mallory'))
    expect(names).toEqual([])
    expect(await send(session, 'same-origin', body)).toBe(303)
  })
})

describe('"Count me in" before the sign-in', () => {
  let hall: Awaited<ReturnType<typeof startOpenId>>
  beforeAll(async () => {
    hall = await startOpenId()
  })
  afterAll(() => hall.stop())

  for (const way of ['token', 'code'] as const)
    test(`is done after it by the ${way} of the mail, past the welcome page`, async () => {
      const [eventId, email, visitor] = [await anEvent(), newAddress(), browser()]
      const login = await press(visitor, eventId)
      expect(returnToIn(login)).toBe(`/events/${eventId}?do=rsvp#seat`)
      const secrets = await askForMail(visitor, email, login)
      const { location } = await enter(
        visitor,
        way === 'token' ? { token: secrets.token } : { email, code: secrets.code },
      )
      const sent = await introduce(visitor, location as string, { name: 'Ada' })
      expect([sent.location, await rsvpOf(eventId, email)]).toEqual([
        `${HERE}/events/${eventId}?do=rsvp#seat`,
        undefined,
      ])
      const done = await visitor.go(sent.location as string)
      expect([done.status, done.location]).toEqual([303, `${HERE}/events/${eventId}#seat`])
      expect(await rsvpOf(eventId, email)).toBe('confirmed')
      expect([...visitor.jar().keys()]).toEqual(['session'])
    })

  test('is done after a sign-in with a provider, for a member who was here before', async () => {
    const [eventId, login, email, visitor] = [await anEvent(), `n${randomHex(5)}`, newAddress(), browser()]
    await makeUser({ email, lastLoginAt: new Date() })
    hall.people.set(login, { email, email_verified: true, name: 'Ada' })
    const returnTo = returnToIn(await press(visitor, eventId))
    const start = await visitor.go(`${HERE}/auth/oidc?returnTo=${encodeURIComponent(returnTo)}`)
    const back = await visitor.go(await visitor.identifyAs(login, start.location as string))
    expect(back.location).toBe(`${HERE}/events/${eventId}?do=rsvp#seat`)
    // The redirect still counts as one from the provider's site.
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await visitor.go(back.location as string, { headers })).status).toBe(303)
    expect(await rsvpOf(eventId, email)).toBe('confirmed')
  })

  test('is done by skipping the questions too, and says so where the event is full or gone', async () => {
    const [full, cancelled] = [await anEvent({ maxAttendees: 1 }), await anEvent()]
    const first = browser()
    first.jar().set('session', await makeSession((await makeUser()).id))
    const { text } = await first.go(`${HERE}/events/${full}`)
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] as string
    await first.go(`${HERE}/events/${full}?do=rsvp`, { form: { csrf } })
    for (const [eventId, status] of [
      [full, 'waitlisted'],
      [cancelled, undefined],
    ] as const) {
      const [email, visitor] = [newAddress(), browser()]
      const login = await press(visitor, eventId)
      if (eventId === cancelled) await cancel(eventId)
      const { token } = await askForMail(visitor, email, login)
      const { location } = await enter(visitor, { token })
      const skip = /<a href="([^"]+)">Skip for now/.exec((await visitor.go(location as string)).text)?.[1]
      const done = await visitor.go(HERE + skip?.replaceAll('&amp;', '&'))
      expect([done.location, await rsvpOf(eventId, email)]).toEqual([
        `${HERE}/events/${eventId}#seat`,
        status,
      ])
    }
  })

  test('does nothing for the reader of the mail in another browser', async () => {
    const [eventId, email, attacker, victim] = [await anEvent(), newAddress(), browser(), browser()]
    await makeUser({ email, lastLoginAt: new Date() })
    const { token } = await askForMail(attacker, email, await press(attacker, eventId))
    const { location } = await enter(victim, { token })
    expect((await victim.go(location as string)).status).toBe(200)
    expect(await rsvpOf(eventId, email)).toBeUndefined()
  })

  test('does nothing for a link, a form of another site, another event, or a second time', async () => {
    const [eventId, other, user] = [await anEvent(), await anEvent(), await makeUser({ email: newAddress() })]
    const email = user.email as string
    const session = await makeSession(user.id)
    const linked = browser()
    linked.jar().set('session', session)
    expect((await linked.go(`${HERE}/events/${eventId}?do=rsvp`)).status).toBe(200)

    const forged = browser()
    await press(forged, eventId, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })
    expect([...forged.jar().keys()]).toEqual([])

    const pressed = browser()
    await press(pressed, eventId)
    pressed.jar().set('session', session)
    expect((await pressed.go(`${HERE}/events/${other}?do=rsvp`)).status).toBe(200)
    expect((await pressed.go(`${HERE}/events/${eventId}?do=cancel`)).status).toBe(200)
    expect([await rsvpOf(eventId, email), await rsvpOf(other, email)]).toEqual([undefined, undefined])
    const kept = new Map(pressed.jar())
    expect((await pressed.go(`${HERE}/events/${eventId}?do=rsvp`)).status).toBe(303)
    expect(await rsvpOf(eventId, email)).toBe('confirmed')
    expect(kept.has('intent') && !pressed.jar().has('intent')).toBe(true)
    expect((await pressed.go(`${HERE}/events/${eventId}?do=rsvp`)).status).toBe(200)
  })
})
