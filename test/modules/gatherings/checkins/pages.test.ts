import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { config } from '@/config/config'
import { readableCode } from '@/core/codes'
import { db } from '@/db/client'
import { checkinCodes, checkins } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'
import { cellOfCode } from '@/modules/gatherings/pass-sheets/jobs'
import { symbolOf } from '@/modules/passes/symbols/qr'
import { type Answer, call, get, post } from '../../../support/api'
import { makeCaller, makeSession, makeUser } from '../../../support/make'
import { inHours, later } from '../../../support/time'
import { form } from '../../access/oauth/fixtures'
import { makeCheckin, makeCode, makeStaffedEvent } from './fixtures'

async function makePerson() {
  const user = await makeUser()
  return { user, session: await makeSession(user.id) }
}

const tokenOf = ({ text }: Answer) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] as string

/** What the page's form would send. */
const fieldsOf = ({ text }: Answer) =>
  Object.fromEntries(
    [...text.matchAll(/type="hidden" name="(\w+)" value="(\w+)"/g)].map(([, name, value]) => [name, value]),
  ) as Record<string, string>

const press = (path: string, session: string, fields: Record<string, string>, headers = {}) =>
  post(path, { session, ...form(fields, headers) })

const cameTo = (eventId: string) => db.select().from(checkins).where(eq(checkins.eventId, eventId))

/** One button, or none. */
const stepsOf = ({ text }: Answer) =>
  [...text.matchAll(/class="button wide"[^>]*>([^<]+)</g)].map(([, label]) => label)

const PLACE = { venueName: 'Fábrica <Braço>', venueCity: 'Lisbon', timezone: 'Asia/Tokyo' }

describe('the page behind a check-in code', () => {
  test('shows strangers what, when and where, and one button that leads to sign-in and back', async () => {
    const startTime = inHours(2)
    const { event, group } = await makeStaffedEvent({ title: 'Rust & <Tea>', startTime, ...PLACE })
    const { code } = await makeCode(event.id)
    for (const path of [`/checkin/${code}`, `/checkin/${code.toLowerCase()}`]) {
      const page = await get(path)
      expect([page.status, page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ])
      expect(page.text).toContain('<h1 dir="auto">Rust &amp; &lt;Tea&gt;</h1>')
      expect(page.text).toContain(`<bdi>${group.name}</bdi>`)
      const clock = new Intl.DateTimeFormat('en-GB', {
        hour: '2-digit',
        minute: '2-digit',
        timeZone: 'Asia/Tokyo',
      })
      expect(page.text).toMatch(
        new RegExp(`<time datetime="${startTime.toISOString()}">[^<]+, ${clock.format(startTime)}</time>`),
      )
      expect(page.text).toContain('Japan Standard Time')
      expect(page.text).toContain('<bdi>Fábrica &lt;Braço&gt;, Lisbon</bdi>')
      expect(stepsOf(page)).toEqual(['Sign in and check in'])
      expect(page.text).toContain(`href="/login?returnTo=%2Fcheckin%2F${code}"`)
      expect(page.text).not.toContain('<form method="post" action="/checkin')
      const german = await get(`/checkin/${code}`, { headers: { 'accept-language': 'de' } })
      expect(stepsOf(german)).toEqual(['Anmelden und einchecken'])
      expect(page.text).not.toContain('<script')
    }
    expect(await cameTo(event.id)).toEqual([])
  })

  test('has one button for signed-in people, then shows when they checked in', async () => {
    const { event } = await makeStaffedEvent({ ...PLACE })
    const { code, id } = await makeCode(event.id, { maxUses: 5 })
    const { user, session } = await makePerson()
    const path = `/checkin/${code}`
    const page = await get(path, { session })
    expect(stepsOf(page)).toEqual(['Check in'])
    expect(page.text).toContain(`<form method="post" action="${path}">`)
    const done = await press(path, session, fieldsOf(page))
    expect([done.status, done.headers.get('location')]).toEqual([303, path])
    const [row] = await cameTo(event.id)
    expect([row?.userId, row?.method]).toEqual([user.id, 'link'])
    const after = await get(path, { session })
    expect(after.status).toBe(200)
    expect(after.text).toContain('<h1>You are in</h1>')
    expect(after.text).toContain(`Checked in <time datetime="${row?.checkedInAt.toISOString()}">today, `)
    expect(stepsOf(after)).toEqual([])
    // Pressed again, in another window or by the back button, they are in all the same.
    const again = await press(path, session, fieldsOf(page))
    expect([again.status, again.headers.get('location')]).toEqual([303, path])
    const [used] = await db.select().from(checkinCodes).where(eq(checkinCodes.id, id))
    expect([used?.currentUses, (await cameTo(event.id)).length]).toEqual([1, 1])
    // On another day the day is said too.
    const tomorrow = await later(30 * 3_600_000, async () =>
      get(path, { session: await makeSession(user.id) }),
    )
    expect(tomorrow.text).toContain('You are in')
    expect(tomorrow.text).not.toContain('today, ')
  })

  test('is where the symbol of a poster leads, in the smaller mode, and knows who scanned it', async () => {
    const { event } = await makeStaffedEvent()
    const { code, id } = await makeCode(event.id)
    const cells = await Array.fromAsync(cellOfCode(id))
    const url = cells[0]?.[0]?.url as string
    expect(url).toBe(`${config.baseUrl}/CHECKIN/${code}`.toUpperCase())
    const mixed = (text: string) => text.replace('CHECKIN', 'checkin')
    const address = 'HTTPS://MEET.EXAMPLE.ORG/CHECKIN/ABCD2345'
    expect(symbolOf(address, 'Q').size).toBeLessThan(symbolOf(mixed(address), 'Q').size)
    const path = url.slice(config.baseUrl.length)
    expect((await get(path)).text).toContain(`href="/login?returnTo=%2FCHECKIN%2F${code}"`)
    const { session } = await makePerson()
    const done = await press(path, session, fieldsOf(await get(path, { session })))
    expect([done.status, done.headers.get('location')]).toEqual([303, `/checkin/${code}`])
    expect((await cameTo(event.id))[0]?.method).toBe('qr')
  })

  test('says why a code does not open the door, and what to do, to strangers and to people', async () => {
    const { event } = await makeStaffedEvent()
    const usedUp = await makeCode(event.id, { maxUses: 1 })
    await db.update(checkinCodes).set({ currentUses: 1 }).where(eq(checkinCodes.id, usedUp.id))
    const codeFor = async (fields: Parameters<typeof makeStaffedEvent>[0]) =>
      (await makeCode((await makeStaffedEvent(fields)).event.id)).code
    const startTime = inHours(48)
    const states: [string, string[]][] = [
      [(await makeCode(event.id, { expiresAt: inHours(-1) })).code, ['This code has expired', 'Ask the']],
      [usedUp.code, ['This code is used up', 'Ask the people at the door']],
      [
        await codeFor({ startTime, endTime: null }),
        [
          `Check-in opens <time datetime="${new Date(startTime.getTime() - 24 * 3_600_000).toISOString()}">`,
          'The same code works then',
        ],
      ],
      [await codeFor({ startTime: inHours(-40), endTime: inHours(-30) }), ['Check-in has closed']],
      [
        await codeFor({ status: 'cancelled', cancelReason: 'The roof <leaks>' }),
        ['This event was cancelled', 'The roof &lt;leaks&gt;'],
      ],
    ]
    const { session } = await makePerson()
    const csrf = tokenOf(await get(`/checkin/${(await makeCode(event.id)).code}`, { session }))
    for (const [code, words] of states) {
      const path = `/checkin/${code}`
      for (const options of [{}, { session }]) {
        const page = await get(path, options)
        expect([code, page.status, stepsOf(page)]).toEqual([code, 200, []])
        for (const said of words) expect(page.text).toContain(said)
      }
      // A button of a page that was loaded before leads to the same words.
      const late = await press(path, session, { csrf })
      const seen = late.status === 303 ? await get(late.headers.get('location') as string, { session }) : late
      for (const said of words)
        expect([late.status, seen.text]).toEqual([late.status, expect.stringContaining(said)])
      expect([303, 410]).toContain(late.status)
    }
    expect(await cameTo(event.id)).toEqual([])
  })

  test('shows a completed check-in, even if the code has ended', async () => {
    const { event } = await makeStaffedEvent({ startTime: inHours(-40), endTime: inHours(-30) })
    const { code } = await makeCode(event.id, { expiresAt: inHours(-1) })
    const { user, session } = await makePerson()
    await makeCheckin(event.id, user.id)
    expect((await get(`/checkin/${code}`, { session })).text).toContain('You are in')
    expect((await get(`/checkin/${code}`)).text).toContain('This code has expired')
  })
})

describe('a person is not checked in', () => {
  test('by GET or HEAD, with any address and headers', async () => {
    const { event } = await makeStaffedEvent()
    const { code } = await makeCode(event.id)
    const { session } = await makePerson()
    for (const path of [`/checkin/${code}`, `/CHECKIN/${code}`])
      for (const method of ['GET', 'HEAD'])
        for (const query of ['', '?method=qr', '?_method=POST'])
          expect((await call(method, path + query, { session })).status).toBe(200)
    expect(await cameTo(event.id)).toEqual([])
  })

  test('without the token of this session, or from another site', async () => {
    const { event } = await makeStaffedEvent()
    const { code } = await makeCode(event.id)
    const path = `/checkin/${code}`
    const [mine, other] = [await makePerson(), await makePerson()]
    const csrf = tokenOf(await get(path, mine))
    const foreign = tokenOf(await get(path, other))
    for (const [fields, headers] of [
      [{}, {}],
      [{ csrf: '' }, {}],
      [{ csrf: foreign }, {}],
      [{ csrf }, { 'sec-fetch-site': 'cross-site' }],
      [{ csrf }, { 'sec-fetch-site': 'same-site' }],
    ] as [Record<string, string>, Record<string, string>][])
      expect((await press(path, mine.session, fields, headers)).status).toBe(403)
    const nobody = await post(path, form({ csrf }))
    expect([nobody.status, nobody.headers.get('location')]).toEqual([
      303,
      `/login?returnTo=%2Fcheckin%2F${code}`,
    ])
    const { token } = await makeCaller(['write:events'])
    expect((await post(path, { token, ...form({ csrf }) })).status).toBe(403)
    expect(stepsOf(await get(path, { token }))).toEqual(['Sign in and check in'])
    expect((await press(path, mine.session, { csrf, method: 'manual' })).status).toBe(400)
    expect(await cameTo(event.id)).toEqual([])
  })
})

describe('what a code does not tell', () => {
  test('a draft, an unknown code and what can be no code are the same page', async () => {
    const { event } = await makeStaffedEvent({ status: 'draft', title: 'Secret plan' })
    const { code } = await makeCode(event.id)
    const { session } = await makePerson()
    const texts = new Set<string>()
    for (const typed of [code, 'AAAAAAAA', 'x', '%E2%84%AA', 'a'.repeat(200), '%3Cscript%3E', '%00']) {
      const page = await get(`/checkin/${typed}`)
      expect([typed, page.status, page.headers.get('content-type')]).toEqual([
        typed,
        404,
        'text/html; charset=utf-8',
      ])
      texts.add(page.text)
      expect((await get(`/CHECKIN/${typed}`, { session })).status).toBe(404)
    }
    expect([...texts]).toEqual([expect.stringContaining('No event has this code')])
  })

  test('the place of an event of an unlisted group, and why it was cancelled, are for those who may see it', async () => {
    const { event, group, owner } = await makeStaffedEvent({
      ...PLACE,
      status: 'cancelled',
      cancelReason: 'Between us',
    })
    await db.update(groups).set({ isListed: false }).where(eq(groups.id, group.id))
    const { code } = await makeCode(event.id)
    const { session } = await makePerson()
    for (const options of [{}, { session }]) {
      const { status, text } = await get(`/checkin/${code}`, options)
      expect(status).toBe(200)
      expect(text).toContain('This event was cancelled')
      for (const hidden of ['Fábrica', 'Lisbon', 'Between us']) expect(text).not.toContain(hidden)
    }
    const staff = await makeSession(owner.user.id)
    const { text } = await get(`/checkin/${code}`, { session: staff })
    expect(text).toContain('Fábrica')
    expect(text).toContain('Between us')
  })

  test('which code is right, to a guesser', async () => {
    const { event } = await makeStaffedEvent()
    const { code } = await makeCode(event.id)
    const from = { headers: { 'x-forwarded-for': '203.0.113.77' } }
    for (let i = 0; i < 30; i += 1)
      expect((await get(`/${i % 2 ? 'checkin' : 'CHECKIN'}/${readableCode(8)}`, from)).status).toBe(404)
    for (const path of [`/checkin/${code}`, `/CHECKIN/${code}`, `/v1/checkin/${code}`]) {
      const refused = await get(path, from)
      expect([path, refused.status]).toEqual([path, 429])
      expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
    }
    const { session } = await makePerson()
    expect((await get(`/checkin/${code}`, { ...from, session })).status).toBe(200)
  })
})
