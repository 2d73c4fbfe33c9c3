import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import { connections, passes } from '@/db/tables/passes'
import { transaction } from '@/db/transaction'
import { newPassId, shownCode } from '@/modules/passes/passes/id'
import { qrPassOf } from '@/modules/passes/passes/own-qr'
import { strangerHash } from '@/modules/passes/tap/stranger'
import { call, del, get, type Json, patch } from '../../../support/api'
import { makeAdmin, makeCaller, makeSession, makeToken } from '../../../support/make'
import { until } from '../../../support/processes'
import { statementsOf } from '../../../support/statements'
import { newAddress, signIn } from '../../access/sign-in/fixtures'
import { connect as connectThem, makeTag } from '../fixtures'

/** A browser that was opened with the address. */
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-site': 'none' }
const PROGRAM = { accept: 'application/json' }

type Person = Awaited<ReturnType<typeof makeCaller>>

const SCOPES = ['write:meetpass', 'user', 'read:user'] as const

const person = () => mailed({})

/** Somebody who can sign in by mail. */
async function mailed(fields: Parameters<typeof makeCaller>[1]) {
  const email = newAddress()
  const made = await makeCaller([...SCOPES], { ...fields, email })
  return { ...made, user: { ...made.user, email } }
}

/** Somebody with a pass of their own. */
async function owner(fields: Parameters<typeof makeCaller>[1] = {}) {
  const made = await mailed(fields)
  const pass = await transaction((tx) => qrPassOf(tx, made.user.id))
  return { ...made, id: pass.id }
}

const rowsOf = (ownerId: string) => db.select().from(connections).where(eq(connections.ownerId, ownerId))

const visitorCookie = (headers: Headers) => /^visitor=[0-9a-f]{32}/.exec(headers.get('set-cookie') ?? '')?.[0]

const listOf = async ({ token }: Person): Promise<Json[]> =>
  (await get('/v1/meetpass/connections', { token })).body.data

describe('a stranger', () => {
  test('speaks the language of whoever taps, whatever the one before spoke', async () => {
    const { id } = await owner({ name: 'Ada Baker' })
    for (const [language, said] of [
      ['en', 'Save contact'],
      ['de', 'Kontakt speichern'],
      ['en', 'Save contact'],
    ] as const) {
      const { text } = await get(`/pass/${id}`, { headers: { ...HTML, 'accept-language': language } })
      expect([text.includes(`<html lang="${language}">`), text.includes(said)]).toEqual([true, true])
    }
    const unknown = await get(`/pass/${newPassId()}`, { headers: { ...HTML, 'accept-language': 'de' } })
    expect([unknown.status, unknown.text.includes('Diesen Pass gibt es nicht')]).toEqual([404, true])
  })

  test('gets the card and a cookie, and is recorded once however often they tap', async () => {
    const { id, user } = await owner({ bio: 'Baker', name: 'Ada Baker' })
    const first = await get(`/pass/${id}`, { headers: HTML })
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(first.text).toContain('Ada Baker')
    expect(first.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Lax/)
    const cookie = visitorCookie(first.headers) as string
    for (const path of [
      `/pass/${id}`,
      `/PASS/${id.toUpperCase()}`,
      `/pass/${shownCode(id)}`,
      `/pass/${id}?uid=04AABB&ctr=000012`,
    ]) {
      const again = await get(path, { headers: { ...HTML, cookie } })
      expect([again.status, again.headers.get('set-cookie')]).toEqual([200, null])
    }
    const rows = await rowsOf(user.id)
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ visitorId: null, passId: id })
    // Nothing of what the browser holds is kept.
    const hex = Buffer.from(rows[0]?.strangerHash as Uint8Array).toString('hex')
    expect(cookie).not.toContain(hex)
  })

  test('gets the very card that was asked for, whoever else asks at the same moment', async () => {
    const owners = [
      await owner({ bio: 'B'.repeat(400) }),
      await owner({ bio: null }),
      await owner({ bio: 'Baker' }),
    ]
    const cards = await Promise.all(owners.map(({ id }) => get(`/pass/${id}`, { headers: HTML })))
    expect(new Set(cards.map(({ text }) => text)).size).toBe(3)
    for (const { text } of cards) expect(text).toEndWith('</html>\n')
    const turns = Array.from({ length: 30 }, (_, i) => i % 3)
    const answers = await Promise.all(
      turns.map((turn) =>
        get(`/pass/${owners[turn]?.id}`, { headers: { ...HTML, 'sec-purpose': 'prefetch' } }),
      ),
    )
    expect(answers.map(({ text }) => text)).toEqual(turns.map((turn) => cards[turn]?.text as string))
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(30)
  })

  test('as a program reads JSON, without what is the owner’s alone', async () => {
    const { id, token, user } = await owner({ bio: 'Baker', name: 'Ada Baker' })
    await patch(`/v1/meetpass/${id}`, { token, json: { label: 'My jacket', action: 'contact' } })
    const { status, body, text } = await get(`/pass/${id}`, { headers: PROGRAM })
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        pass: { id, type: 'qrcode', action: 'contact', design: null },
        owner: {
          name: 'Ada Baker',
          username: user.username,
          avatarUrl: user.avatarUrl,
          bio: 'Baker',
          location: user.location,
          socialLinks: user.socialLinks ?? [],
          themeColor: user.themeColor,
        },
        connected: true,
      },
    })
    expect(text).not.toContain('My jacket')
    expect(text).not.toContain(user.id)
  })

  test('taps a known pass again without a statement', async () => {
    const { id } = await owner()
    const { headers } = await get(`/pass/${id}`, { headers: HTML })
    const cookie = visitorCookie(headers) as string
    expect(await statementsOf(() => get(`/pass/${id}`, { headers: { ...HTML, cookie } }))).toBe(0)
  })

  const AHEAD: [string, Record<string, string>][] = [
    ['a prefetch', { 'sec-purpose': 'prefetch;prerender' }],
    ['an older prefetch', { purpose: 'prefetch' }],
    ['Firefox reading ahead', { 'x-moz': 'prefetch' }],
    ['a Safari preview', { 'x-purpose': 'preview' }],
    ['a picture in a page', { 'sec-fetch-dest': 'image' }],
    ['a link, without https', { referer: 'https://evil.example/x', 'sec-fetch-site': '' }],
    ['a frame', { 'sec-fetch-dest': 'iframe' }],
    ['a link on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }],
    ['a way back from a page of ours', { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' }],
    ['a preview in WhatsApp', { 'user-agent': 'WhatsApp/2.23.20.0 A' }],
    ['Slackbot', { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }],
    ['Facebook', { 'user-agent': 'facebookexternalhit/1.1' }],
    ['iMessage', { 'user-agent': 'Mozilla/5.0 (Macintosh) facebookexternalhit/1.1 Facebot Twitterbot/1.0' }],
    ['Googlebot', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }],
  ]
  for (const [what, headers] of AHEAD)
    test(`${what} shows the card and records nothing`, async () => {
      const { id, user } = await owner()
      const answer = await get(`/pass/${id}`, { headers: { ...HTML, ...headers } })
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null])
      expect(answer.text).toContain(user.name)
      expect(await rowsOf(user.id)).toEqual([])
    })

  test('control: a phone that was held to the tag is recorded', async () => {
    const { id, user } = await owner()
    const phone = {
      'user-agent': 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/141.0.0.0 Mobile Safari/537.36',
      'sec-fetch-site': 'none',
      'sec-fetch-dest': 'document',
    }
    await get(`/pass/${id}`, { headers: { ...HTML, ...phone } })
    expect(await rowsOf(user.id)).toHaveLength(1)
  })

  test('who was told to wait is recorded when the page tries again', async () => {
    const { id, user } = await owner()
    await get(`/pass/${id}?again`, { headers: { ...HTML, 'sec-fetch-site': 'same-origin' } })
    expect(await rowsOf(user.id)).toHaveLength(1)
  })

  test('with a cookie that was planted or damaged is a new one', async () => {
    const { id } = await owner()
    for (const cookie of ['visitor=x', `visitor=${'a'.repeat(32)}; visitor=${'b'.repeat(32)}`, 'visitor=']) {
      const { headers } = await get(`/pass/${id}`, { headers: { ...HTML, cookie } })
      expect(visitorCookie(headers)).toBeString()
    }
  })

  test('a pass keeps a thousand, and the newest of them', async () => {
    const { id, user } = await owner()
    await db.execute(sql`
      insert into connections (id, owner_id, stranger_hash, pass_id, created_at)
      select gen_random_uuid(), ${user.id}, sha256(n::text::bytea), ${id}, now() - n * interval '1 minute'
      from generate_series(1, 1000) n`)
    await db.execute(sql`insert into pass_strangers values (${id}, 1000)`)
    await Promise.all(Array.from({ length: 7 }, () => get(`/pass/${id}`, { headers: HTML })))
    const rows = await rowsOf(user.id)
    expect(rows).toHaveLength(1000)
    const ages = rows.map(({ createdAt }) => (Date.now() - createdAt.getTime()) / 60_000)
    expect(Math.max(...ages)).toBeLessThan(994)
    const [{ kept }] = (await db.execute(
      sql`select kept from pass_strangers where pass_id = ${id}`,
    )) as unknown as [{ kept: number }]
    expect(kept).toBe(1000)
  })
})

describe('a person', () => {
  test('is connected once, from both sides, and the other way round changes nothing', async () => {
    const [mine, theirs] = [await owner(), await owner()]
    const session = await makeSession(mine.user.id)
    const tap = () => get(`/pass/${theirs.id}`, { session, headers: HTML })
    const first = await tap()
    expect(first.status).toBe(200)
    expect(first.headers.get('set-cookie')).toBeNull()
    await tap()
    await get(`/pass/${mine.id}`, { session: await makeSession(theirs.user.id), headers: HTML })
    expect(await listOf(theirs)).toMatchObject([{ direction: 'inbound', connectedUserId: mine.user.id }])
    expect(await listOf(mine)).toMatchObject([{ direction: 'outbound', connectedUserId: theirs.user.id }])
  })

  test('by a token is connected when it may write, and otherwise sees the card', async () => {
    const theirs = await owner()
    const [writes, reads] = [await person(), await makeCaller(['read:meetpass'])]
    const tap = ({ token }: Person) => get(`/pass/${theirs.id}`, { token, headers: PROGRAM })
    expect((await tap(reads)).body.data).toMatchObject({ connected: false })
    expect((await tap(writes)).body.data).toMatchObject({
      connected: true,
      owner: { name: theirs.user.name },
    })
    expect(await rowsOf(theirs.user.id)).toMatchObject([{ visitorId: writes.user.id }])
    // Neither does a token learn whom its person met, nor follow for them, without the scope for that.
    const other = await makeToken(writes.user.id, ['read:events'])
    expect((await tap({ ...writes, token: other.token })).body.data).toMatchObject({ connected: false })
    await patch(`/v1/meetpass/${theirs.id}`, { token: theirs.token, json: { autoFollow: 1 } })
    const small = await makeCaller(['write:meetpass'])
    expect((await tap(small)).body.data).toMatchObject({ connected: true })
    expect(
      (await get(`/v1/users/${theirs.user.username}/followers`, { token: theirs.token })).body.data,
    ).toEqual([])
  })

  test('a token that does not hold is refused and not taken for a stranger', async () => {
    const { id, user } = await owner()
    const { status, body } = await get(`/pass/${id}`, { token: 'fmt_nonsense', headers: PROGRAM })
    expect([status, body.code]).toEqual([401, 'unauthorized'])
    expect(await rowsOf(user.id)).toEqual([])
  })

  test('by a link on another site sees a button, which connects', async () => {
    const [me, theirs] = [await person(), await owner()]
    const session = await makeSession(me.user.id)
    const elsewhere = { ...HTML, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }
    const card = await get(`/pass/${theirs.id}`, { session, headers: elsewhere })
    expect(await rowsOf(theirs.user.id)).toEqual([])
    expect(card.text).toContain(`action="/pass/${theirs.id}/connect"`)
  })

  test('follows at once where the owner says so, and not again after having stopped', async () => {
    const [me, theirs] = [await person(), await owner()]
    await patch(`/v1/meetpass/${theirs.id}`, { token: theirs.token, json: { autoFollow: 1 } })
    const tap = () => get(`/pass/${theirs.id}`, { token: me.token, headers: PROGRAM })
    await tap()
    const followers = async () =>
      (await get(`/v1/users/${theirs.user.username}/followers`, { token: me.token })).body.data
    expect(await followers()).toMatchObject([{ username: me.user.username }])
    await del(`/v1/users/${theirs.user.username}/follow`, { token: me.token })
    await tap()
    expect(await followers()).toEqual([])
    const [met] = await listOf(me)
    await del(`/v1/meetpass/connections/${met.id}`, { token: me.token })
    await tap()
    expect([await followers(), (await listOf(me)).length]).toEqual([[], 1])
  })

  test('who only asks whether the pass is there is not connected', async () => {
    const [me, theirs] = [await person(), await owner()]
    const { status } = await call('HEAD', `/pass/${theirs.id}`, { token: me.token, headers: PROGRAM })
    expect([status, await rowsOf(theirs.user.id)]).toEqual([200, []])
  })

  test('is told that they are connected though another process was faster, and its message is on its way', async () => {
    const [me, theirs] = [await person(), await owner()]
    const session = await makeSession(me.user.id)
    const HELD = { ...PROGRAM, 'sec-fetch-site': 'none' }
    const tap = async (headers: Record<string, string> = {}) =>
      (await get(`/pass/${theirs.id}`, { session, headers: { ...HELD, ...headers } })).body.data.connected
    expect(await tap({ purpose: 'prefetch' })).toBe(false)
    await connectThem(theirs.user.id, me.user.id)
    expect(await tap()).toBe(true)
    expect(await rowsOf(theirs.user.id)).toHaveLength(1)
  })

  test('who removed it gets it back by tapping again, and the other side stays as it was', async () => {
    const [me, theirs] = [await person(), await owner()]
    const tap = () => get(`/pass/${theirs.id}`, { token: me.token, headers: PROGRAM })
    await tap()
    const [inbound] = await listOf(theirs)
    await del(`/v1/meetpass/connections/${inbound.id}`, { token: theirs.token })
    await tap()
    expect(await listOf(theirs)).toEqual([])
    const [outbound] = await listOf(me)
    await del(`/v1/meetpass/connections/${outbound.id}`, { token: me.token })
    expect(await listOf(me)).toEqual([])
    expect((await tap()).body.data.connected).toBe(true)
    expect(await listOf(me)).toHaveLength(1)
    expect(await listOf(theirs)).toEqual([])
  })

  test('on their own pass sees it and is not connected with themselves', async () => {
    const mine = await owner()
    const session = await makeSession(mine.user.id)
    const { status, text } = await get(`/pass/${mine.id}`, { session, headers: HTML })
    expect([status, text.includes('Your pass')]).toEqual([200, true])
    expect(await rowsOf(mine.user.id)).toEqual([])
  })
})

describe('what cannot be tapped', () => {
  const UNKNOWN = ['2345678923456789', 'x', '%00', '..%2f..', 'a'.repeat(3000)]
  for (const id of UNKNOWN)
    test(`${id.slice(0, 20)} is 404, as JSON and as a page`, async () => {
      const json = await get(`/pass/${id}`, { headers: PROGRAM })
      expect([json.status, json.body?.code]).toEqual([404, 'not_found'])
      const html = await get(`/pass/${id}`, { headers: HTML })
      expect([html.status, html.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    })

  test('switched off, or its owner suspended: the same 410, byte for byte', async () => {
    const [off, gone] = [await owner(), await owner()]
    await patch(`/v1/meetpass/${off.id}`, { token: off.token, json: { isActive: 0 } })
    await get(`/pass/${gone.id}`, { headers: HTML })
    await patch(`/v1/admin/users/${gone.user.id}`, {
      token: (await makeAdmin()).token,
      json: { suspended: true },
    })
    for (const headers of [HTML, PROGRAM]) {
      const [one, two] = [
        await get(`/pass/${off.id}`, { headers }),
        await get(`/pass/${gone.id}`, { headers }),
      ]
      expect([one.status, two.status]).toEqual([410, 410])
      expect(one.text).toBe(two.text)
    }
  })

  test('a blank tag: a page for strangers and members, and a GET never claims', async () => {
    const id = await makeTag()
    const me = await person()
    const session = await makeSession(me.user.id)
    const [stranger, member] = [
      await get(`/pass/${id}`, { headers: HTML }),
      await get(`/pass/${id}`, { session, headers: HTML }),
    ]
    expect([stranger.status, member.status]).toEqual([200, 200])
    expect(member.text).toContain(`action="/pass/${id}/claim"`)
    expect((await get(`/pass/${id}`, { headers: PROGRAM })).body.data).toMatchObject({ owner: null })
    expect(await db.select({ owner: passes.ownerId }).from(passes).where(eq(passes.id, id))).toEqual([
      { owner: null },
    ])
  })
})

describe('a pass that changes while it is tapped', () => {
  /** By a person and by a stranger. */
  const tapped = async (id: string) => {
    const me = await person()
    const both = await Promise.all([
      get(`/pass/${id}`, { token: me.token, headers: PROGRAM }),
      get(`/pass/${id}`, { headers: PROGRAM }),
    ])
    return both.map(({ status, body, headers }) => [
      status,
      body.data?.connected,
      headers.get('set-cookie') !== null,
    ])
  }
  const NOTHING = [
    [200, false, false],
    [200, false, false],
  ]

  test('switched off, which this process has not heard of yet: nothing is recorded, and nobody is told so', async () => {
    const { id, user } = await owner()
    await get(`/pass/${id}`, { headers: { ...PROGRAM, purpose: 'prefetch' } })
    await db.update(passes).set({ isActive: false }).where(eq(passes.id, id))
    expect([await tapped(id), await rowsOf(user.id)]).toEqual([NOTHING, []])
  })

  test('rotated at that moment: the taps do not wait for it and are recorded nowhere', async () => {
    const { id, user } = await owner()
    await get(`/pass/${id}`, { headers: { ...PROGRAM, purpose: 'prefetch' } })
    await db.transaction(async (tx) => {
      await tx.update(passes).set({ id: newPassId() }).where(eq(passes.id, id))
      expect(await tapped(id)).toEqual(NOTHING)
    })
    expect(await rowsOf(user.id)).toEqual([])
  })

  test('a stranger whose record meets a deadlock is recorded at the second attempt', async () => {
    const { id, user } = await owner()
    const value = 'c'.repeat(24) + randomHex(4)
    await get(`/pass/${id}`, { headers: HTML })
    const undone = new Error('undone')
    const { tap } = await new Promise<{ tap: ReturnType<typeof get> }>((resolve, reject) => {
      db.transaction(async (tx) => {
        // PostgreSQL ends the one that looks for deadlocks first: the tap.
        await tx.execute(sql`set local deadlock_timeout = '1min'`)
        await tx.execute(sql`select from pass_strangers where pass_id = ${id} for update`)
        const tap = get(`/pass/${id}`, { headers: { ...PROGRAM, cookie: `visitor=${value}` } })
        await until('the tap waits', async () => (await waiting()) >= 1)
        // The tap holds this record, and waits for the count that is held here.
        await tx.execute(sql`insert into connections (id, owner_id, stranger_hash, pass_id, created_at)
          values (gen_random_uuid(), ${user.id}, decode(${strangerHash(value)}, 'hex'), ${id}, now())`)
        resolve({ tap })
        throw undone
      }).catch((error) => error === undone || reject(error))
    })
    const { status, body } = await tap
    expect([status, body.data?.connected]).toEqual([200, true])
    expect(await rowsOf(user.id)).toHaveLength(2)
  })
})

/** How many of this database wait for somebody else. A transaction would see the same for ever. */
const waiting = async (): Promise<number> =>
  (
    (await db.execute(sql`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)) as unknown as [{ count: number }]
  )[0].count

test('a private owner shows name and picture, in no form more', async () => {
  const { id, token, user } = await owner({ bio: 'A secret hobby', location: 'Nowhere' })
  await patch('/v1/profile', { token, json: { profileVisibility: 'private' } })
  const json = (await get(`/pass/${id}`, { headers: PROGRAM })).body.data.owner
  expect(json).toEqual({
    name: user.name,
    avatarUrl: user.avatarUrl,
    username: null,
    bio: null,
    location: null,
    socialLinks: [],
    themeColor: null,
  })
  const { text } = await get(`/pass/${id}`, { headers: HTML })
  for (const hidden of ['A secret hobby', 'Nowhere', `@${user.username}`, '/follow"'])
    expect(text).not.toContain(hidden)
})

describe('limits', () => {
  test('three in a second from one address, then 429 with a page that comes back by itself', async () => {
    const { id } = await owner()
    const from = { 'x-forwarded-for': '198.51.100.7' }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => get(`/pass/${id}`, { headers: { ...HTML, ...from } })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.headers.get('retry-after')).toBe('1')
    expect(refused?.text).toContain('http-equiv="refresh" content="1;url=?again"')
    for (const { headers } of answers) expect(headers.get('x-ratelimit-limit')).toBe('3')
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining')).sort()).toEqual([
      '0',
      '0',
      '0',
      '1',
      '2',
    ])
    expect(
      (await get(`/pass/${id}`, { headers: { ...HTML, 'x-forwarded-for': '198.51.100.8' } })).status,
    ).toBe(200)
  })

  test('ids that do not exist run out, for a person and for an address, and passes that exist are still shown', async () => {
    const me = await person()
    const guessers = [{ token: me.token }, { headers: { ...PROGRAM, 'x-forwarded-for': '198.51.100.30' } }]
    for (const guesser of guessers) {
      const guess = async (id: string) => {
        const { status } = await get(`/pass/${id}/ndef`, guesser)
        return status
      }
      for (let i = 0; i < 30; i += 1) expect(await guess('2345678923456789')).toBe(404)
      expect(await guess('2345678923456788')).toBe(429)
      expect(await guess((await owner()).id)).toBe(200)
    }
  })
})

test('taps of others do not wait for somebody whose account is being deleted', async () => {
  const [leaving, staying] = [await owner(), await owner()]
  const ids = [leaving.id, staying.id]
  for (const id of ids) await get(`/pass/${id}`, { headers: HTML })
  await transaction(async (tx) => {
    await tx.execute(sql`select from users where id = ${leaving.user.id} for update`)
    const answers = await Promise.all(ids.map((id) => get(`/pass/${id}`, { headers: HTML })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })
  expect(await rowsOf(staying.user.id)).toHaveLength(2)
  expect(await rowsOf(leaving.user.id)).toHaveLength(1)
})

describe('signing in', () => {
  test('turns what the browser tapped before into connections, exactly once', async () => {
    const [one, two] = [await owner(), await owner()]
    const { headers } = await get(`/pass/${one.id}`, { headers: HTML })
    const cookie = visitorCookie(headers) as string
    await get(`/pass/${two.id}`, { headers: { ...HTML, cookie } })
    const me = await person()
    await signIn(me.user.email, { cookie })
    expect(await listOf(one)).toMatchObject([{ direction: 'inbound', connectedUserId: me.user.id }])
    expect((await listOf(me)).map(({ connectedUserId }) => connectedUserId).sort()).toEqual(
      [one.user.id, two.user.id].sort(),
    )
    const other = await person()
    await signIn(other.user.email, { cookie })
    expect(await listOf(other)).toEqual([])
    expect(await rowsOf(one.user.id)).toHaveLength(1)
    const [{ kept }] = (await db.execute(
      sql`select kept from pass_strangers where pass_id = ${one.id}`,
    )) as unknown as [{ kept: number }]
    expect(kept).toBe(0)
  })

  test('leaves out one’s own pass and people whom one knows already', async () => {
    const [mine, known] = [await owner(), await owner()]
    await get(`/pass/${known.id}`, { token: mine.token, headers: PROGRAM })
    const { headers } = await get(`/pass/${known.id}`, { headers: HTML })
    const cookie = visitorCookie(headers) as string
    await get(`/pass/${mine.id}`, { headers: { ...HTML, cookie } })
    await signIn(mine.user.email, { cookie })
    expect(await listOf(mine)).toMatchObject([{ connectedUserId: known.user.id }])
    expect(await rowsOf(mine.user.id)).toEqual([])
  })
})

test('a name that changes is on the card at once', async () => {
  const { id, token } = await owner()
  await get(`/pass/${id}`, { headers: HTML })
  await patch('/v1/profile', { token, json: { name: 'Somebody Else' } })
  expect((await get(`/pass/${id}`, { headers: HTML })).text).toContain('Somebody Else')
})

test('the page is small, whatever its owner wrote', async () => {
  const { id } = await owner({
    name: 'W'.repeat(100),
    bio: '<'.repeat(1000),
    location: '&'.repeat(100),
    socialLinks: Array.from({ length: 10 }, (_, i) => `https://example.com/${i}/${'&'.repeat(1900)}`),
  })
  const { text } = await get(`/pass/${id}`, { headers: HTML })
  expect(new TextEncoder().encode(text).length).toBeLessThan(14 * 1024)
})
