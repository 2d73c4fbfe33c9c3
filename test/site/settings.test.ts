import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { newId } from '@/core/ids'
import { db } from '@/db/client'
import { personalTokens, sessions } from '@/db/tables/credentials'
import { dataExports } from '@/db/tables/mails'
import { connections, passes } from '@/db/tables/passes'
import { portfolioItems } from '@/db/tables/people'
import { uploads } from '@/db/tables/uploads'
import { users } from '@/db/tables/users'
import { storage } from '@/outbound/storage/current'
import { PAGES, settingsPath } from '@/site/settings/addresses'
import { work } from '../modules/account/privacy/exported'
import { makeTag } from '../modules/passes/fixtures'
import { type Answer, get, post } from '../support/api'
import { startUploadChecks } from '../support/lanes'
import { makeSession, makeUser } from '../support/make'
import { png } from '../support/uploads'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const GERMAN = { 'accept-language': 'de' }

const tokenIn = ({ text }: Answer) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] as string

/** A person with a browser. */
async function person(fields: Parameters<typeof makeUser>[0] = {}) {
  const user = await makeUser(fields)
  const session = await makeSession(user.id)
  const csrf = tokenIn(await get('/settings', { session }))
  return {
    user,
    session,
    csrf,
    open: (path: string, headers = {}) => get(path, { session, headers }),
    send: (path: string, deed: string, fields: Record<string, string | string[]> = {}) => {
      const pairs = Object.entries(fields).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, one]),
      )
      const body = new URLSearchParams([['csrf', csrf], ...pairs]).toString()
      return post(`${path}?do=${deed}`, { session, body, headers: FORM })
    },
    now: async () => (await db.select().from(users).where(eq(users.id, user.id)))[0],
  }
}

const alertIn = ({ text }: Answer) => /role="alert"[^>]*>(?:<a[^>]*>)?([^<]*)/.exec(text)?.[1]
const went = ({ status, headers }: Answer) => [status, headers.get('location')]

describe('every page of settings', () => {
  const PATHS = [...PAGES.map(settingsPath), '/settings/passes/met']

  test('needs a sign-in, which returns to it', async () => {
    for (const path of PATHS)
      expect([path, ...went(await get(path))]).toEqual([
        path,
        303,
        `/login?returnTo=${encodeURIComponent(path)}`,
      ])
  })

  test('stands among the others, in two languages, and holds what people typed as text', async () => {
    const { open } = await person({ name: '<b>Ada</b> & "Co"', bio: '</textarea><script>' })
    for (const path of PATHS) {
      const english = await open(path)
      const german = await open(path, GERMAN)
      expect([path, english.status, german.status]).toEqual([path, 200, 200])
      expect(english.headers.get('cache-control')).toBe('no-store')
      expect(english.text).toContain('<nav class="side" aria-label="Settings">')
      expect(german.text).toContain('<nav class="side" aria-label="Einstellungen">')
      expect(english.text).toContain(
        `href="${path === '/settings/passes/met' ? '/settings/passes' : path}" aria-current="page"`,
      )
      expect(`${english.text}${german.text}`).not.toMatch(/<b>Ada|<script>|undefined|\[object/)
    }
  })
})

describe('everything about a person', () => {
  test('is made only when they ask, shows how far it is without script, and is fetched from the page', async () => {
    const { user, open, send } = await person({ email: `data-${newId()}@example.org` })
    expect((await open('/settings/data')).text).toContain('Make my export')
    // Looking at the page began nothing.
    expect(await db.$count(dataExports, eq(dataExports.userId, user.id))).toBe(0)
    expect(went(await send('/settings/data', 'begin'))).toEqual([303, '/settings/data'])
    const waiting = (await open('/settings/data')).text
    expect(waiting).toContain('Your export waits for its turn.')
    expect(waiting).toMatch(/<progress max="100" value="0"/)
    expect(waiting).toContain('<noscript><meta http-equiv="refresh" content="5"></noscript>')
    await work()
    const ready = (await open('/settings/data')).text
    expect(ready).toMatch(/Your export is ready: \d+(\.\d)? kB\./)
    expect(ready).not.toContain('http-equiv="refresh"')
    const address = /href="(\/downloads\/[^"]+)"/.exec(ready)?.[1] as string
    expect((await get(address)).status).toBe(200)
    expect((await open('/settings/data', GERMAN)).text).toContain('ZIP herunterladen')
  })
})

describe('the mails', () => {
  test('each have a switch, which is kept as it was ticked', async () => {
    const { user, open, send } = await person()
    const before = await open('/settings/mail')
    expect(before.text).toContain(`Emails go to ${user.email}.`)
    const ticked = (text: string) =>
      [...text.matchAll(/type="checkbox" name="(\w+)" value="on" checked/g)].map(([, name]) => name)
    expect(ticked(before.text)).not.toContain('weeklyDigest')
    expect(ticked(before.text)).toContain('newFollower')
    const answer = await send('/settings/mail', 'switch', { weeklyDigest: 'on', eventReminder: 'on' })
    expect(went(answer)).toEqual([303, '/settings/mail?saved'])
    expect(ticked((await open('/settings/mail')).text)).toEqual(['eventReminder', 'weeklyDigest'])
  })

  test('need an address, and the page says so', async () => {
    const { open } = await person({ email: null })
    expect((await open('/settings/mail')).text).toContain('so we cannot send you emails')
  })
})

describe('the overview', () => {
  test('shows the first steps, and dismisses one or all of them', async () => {
    const { open, send } = await person({ bio: 'Hello' })
    const before = await open('/settings')
    expect(before.text).toContain('1 of 6 taken')
    expect(before.text).toContain('<a href="/groups">Join a group</a>')
    expect((await open('/settings', GERMAN)).text).toContain('<a href="/groups">Tritt einer Gruppe bei</a>')
    expect(went(await send('/settings', 'dismiss', { stepKey: 'join_group' }))).toEqual([303, '/settings'])
    expect((await open('/settings')).text).not.toContain('Join a group')
    await send('/settings', 'dismiss-all')
    expect((await open('/settings')).text).not.toContain('First steps')
  })
})

describe('the profile', () => {
  const ALL = {
    name: 'Ada Okafor',
    bio: 'One\r\ntwo',
    location: 'Lagos',
    socialLinks: ['https://ada.example', '', 'https://other.example', '', ''],
    themeColor: 'ocean',
    profileVisibility: 'private',
  }

  test('is changed in all that people mean by it', async () => {
    const { send, now, user, open } = await person()
    const username = `ada-${user.id.slice(-8)}`
    expect(went(await send('/settings/profile', 'save', { ...ALL, username }))).toEqual([
      303,
      '/settings/profile?saved',
    ])
    expect(await now()).toMatchObject({
      ...{ name: 'Ada Okafor', username, bio: 'One\ntwo', location: 'Lagos', themeColor: 'ocean' },
      socialLinks: ['https://ada.example', 'https://other.example'],
      ...{ profileVisibility: 'private', showOnLeaderboard: false },
    })
    const { text } = await open('/settings/profile?saved')
    expect(text).toContain('<p class="notice" role="status">Saved.</p>')
    expect(text).toContain('value="ocean" checked')
    await send('/settings/profile', 'save', {
      ...ALL,
      bio: '',
      location: '',
      themeColor: '',
      socialLinks: '',
    })
    expect(await now()).toMatchObject({
      bio: null,
      location: null,
      themeColor: null,
      socialLinks: [],
      username,
    })
  })

  test('has the language and the time zone in one form of another page', async () => {
    const { open, send, now } = await person()
    expect((await open('/settings/preferences', GERMAN)).text).toContain('<option value="de" selected>')
    const wrong = await send('/settings/preferences', 'save', { language: 'de', timeZone: 'Atlantis' })
    expect([wrong.status, alertIn(wrong)]).toEqual([
      400,
      'Your time zone must be a name such as Europe/Lisbon.',
    ])
    for (const kept of ['value="Atlantis"', '<option value="de" selected>'])
      expect(wrong.text).toContain(kept)
    const right = await send('/settings/preferences', 'save', { language: 'de', timeZone: 'Europe/Lisbon' })
    expect(went(right)).toEqual([303, '/settings/preferences?saved'])
    expect(await now()).toMatchObject({ language: 'de', timeZone: 'Europe/Lisbon' })
    await send('/settings/preferences', 'save', { language: 'en', timeZone: '' })
    expect(await now()).toMatchObject({ language: 'en', timeZone: null })
    for (const page of ['profile', 'mail', 'preferences'])
      expect([
        page,
        (await open(`/settings/${page}`)).text.split('<form method="post" action="?do=').length,
      ]).toEqual([page, 2])
  })

  test('comes back with what was typed when a rule refuses', async () => {
    const other = await makeUser()
    const { send, now } = await person()
    const taken = await send('/settings/profile', 'save', { ...ALL, username: other.username as string })
    expect([taken.status, alertIn(taken)]).toEqual([409, 'That username is taken.'])
    expect(taken.text).toContain('value="https://other.example"')
    const odd = await send('/settings/profile', 'save', { ...ALL, username: '-a-' })
    expect(alertIn(odd)).toStartWith('Username must be 3 to 30 letters')
    const link = await send('/settings/profile', 'save', { ...ALL, socialLinks: 'ftp://x' })
    expect(alertIn(link)).toStartWith('Links must be')
    expect((await now())?.name).not.toBe('Ada Okafor')
  })
})

describe('a picture', () => {
  let checks: ReturnType<typeof startUploadChecks>
  beforeAll(() => {
    checks = startUploadChecks()
  })
  afterAll(() => checks.stop())

  type Sender = Awaited<ReturnType<typeof person>>
  const multipart = (parts: [string, string | File][]) => {
    const form = new FormData()
    for (const [name, value] of parts) form.append(name, value)
    const request = new Request('http://form.invalid', { method: 'POST', body: form })
    return { type: request.headers.get('content-type') as string, bytes: request.bytes() }
  }
  const file = (bytes: Uint8Array<ArrayBuffer>, type = 'image/png', name = 'me "at" home.png') =>
    new File([bytes], name, { type })
  const texts: [string, string][] = [
    ['name', 'Ada'],
    ['bio', 'Typed with care'],
    ['socialLinks', 'https://one.example/'],
    ['socialLinks', 'https://two.example/'],
    ['profileVisibility', 'public'],
  ]
  async function upload({ session }: Sender, parts: [string, string | File][], headers = {}) {
    const { type, bytes } = multipart(parts)
    return post('/settings/profile?do=save', {
      session,
      body: (await bytes) as Uint8Array<ArrayBuffer>,
      headers: { 'content-type': type, ...headers },
    })
  }

  test('is sent with the texts by a form without script, checked, shown, and removed', async () => {
    const ada = await person()
    const sent = await upload(ada, [
      ['csrf', ada.csrf],
      ...texts,
      ['avatarUrl', file(png(64, 64))],
      ['heroImageUrl', file(png(80, 40))],
    ])
    expect(went(sent)).toEqual([303, '/settings/profile?saved'])
    expect(await ada.now()).toMatchObject({
      bio: 'Typed with care',
      socialLinks: ['https://one.example/', 'https://two.example/'],
    })
    for (const [kind, field] of [
      ['avatar', 'avatarUrl'],
      ['hero', 'heroImageUrl'],
    ] as const) {
      const address = (await ada.now())?.[field] as string
      expect(address).toMatch(new RegExp(`/v1/uploads/file/${kind}/[\\w-]{22}/me-at-home\\.png$`))
      const path = new URL(address).pathname
      expect((await get(path)).headers.get('content-type')).toBe('image/png')
      const page = (await ada.open('/settings/profile')).text
      expect(page).toContain(`src="${path}?w=`)
      expect(page).toContain(`type="checkbox" name="${field}" value=""`)
      await ada.send('/settings/profile', 'save', { ...Object.fromEntries(texts), [field]: '' })
      expect((await ada.now())?.[field]).toBeNull()
    }
  })

  test('keeps every byte, however it is cut up on its way', async () => {
    const ada = await person()
    // Random pixels hold the beginnings of many a boundary.
    const bytes = png(90, 90, [13, 10, 45])
    const { type, bytes: body } = multipart([['csrf', ada.csrf], ...texts, ['avatarUrl', file(bytes)]])
    const whole = await body
    const slowly = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (let at = 0; at < whole.length; at += 37) controller.enqueue(whole.slice(at, at + 37))
        controller.close()
      },
    })
    const sent = await post('/settings/profile?do=save', {
      session: ada.session,
      body: slowly,
      headers: { 'content-type': type },
    })
    expect(went(sent)).toEqual([303, '/settings/profile?saved'])
  })

  test('is refused in words, and nothing is left behind', async () => {
    const ada = await person()
    const own: [string, string] = ['csrf', ada.csrf]
    const leftovers = () => storage.leftovers(new Date(Date.now() + 60_000))
    const before = await leftovers()
    const [large, huge] = [new Uint8Array(10_485_761), new Uint8Array(24_000_000)]
    const unfit = 'This picture cannot be used: choose a photo or drawing of at most 10 MB.'
    for (const [parts, status, said] of [
      [[['avatarUrl', file(png(), 'image/bmp')]], 400, unfit],
      [[['avatarUrl', file(large)]], 400, unfit],
      [[['avatarUrl', file(huge)]], 400, unfit],
      [[['avatarUrl', file(new TextEncoder().encode('<svg onload=alert(1)>'))]], 400, undefined],
      [[1, 2].map(() => ['avatarUrl', file(png())]), 400, 'Send one file at a time.'],
    ] as [[string, string | File][], number, string | undefined][]) {
      const refused = await upload(ada, [own, ...texts, ...parts])
      expect([refused.status, said ?? alertIn(refused)]).toEqual([status, alertIn(refused)])
      for (const typed of ['Typed with care', 'https://one.example/', 'https://two.example/'])
        expect(refused.text).toContain(typed)
    }
    expect((await ada.now())?.avatarUrl).toBeNull()
    expect(await leftovers()).toEqual(before)
  })

  test('is taken from a page of ours, made for this session, and from nowhere else', async () => {
    const ada = await person()
    const parts = (csrf: string): [string, string | File][] => [
      ['csrf', csrf],
      ...texts,
      ['avatarUrl', file(png())],
    ]
    const eve = await person()
    const foreign = await upload(ada, parts(eve.csrf))
    // The texts can be sent again under the present sign-in.
    expect([foreign.status, foreign.text.includes('Typed with care')]).toEqual([403, true])
    expect((await upload(ada, [...parts(ada.csrf)].reverse())).status).toBe(400)
    expect(await db.$count(uploads, eq(uploads.ownerId, ada.user.id))).toBe(0)
    const elsewhere = { 'sec-fetch-site': 'cross-site' }
    const german = { 'accept-language': 'de', ...elsewhere }
    for (const csrf of [ada.csrf, eve.csrf]) {
      const refused = await upload(ada, parts(csrf), german)
      expect([refused.status, refused.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
      // Another site knows no token: nobody is told to send its form once more.
      expect(refused.text).toContain('von einer anderen Website')
    }
    const empty = { session: ada.session, headers: { accept: 'text/html' } }
    expect((await post('/settings/profile?do=save', empty)).text).toContain('<h1')
    const stranger = await post('/settings/profile?do=save', { body: 'x', headers: FORM })
    expect(went(stranger)).toEqual([303, '/login?returnTo=%2Fsettings%2Fprofile%3Fdo%3Dsave'])
    for (const [body, type] of [
      ['x', 'text/plain'],
      ['', 'multipart/form-data; boundary=x'],
      ['--x\r\n', 'multipart/form-data; boundary=x'],
      [`--x\r\n${'a'.repeat(9000)}`, 'multipart/form-data; boundary=x'],
      ['--x\r\n\r\n\r\n--x--', 'multipart/form-data; boundary=x'],
      [
        `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${'b'.repeat(9000)}`,
        'multipart/form-data; boundary=x',
      ],
    ] as const) {
      const { status } = await post('/settings/profile?do=save', {
        session: ada.session,
        body,
        headers: { 'content-type': type },
      })
      expect([body.slice(0, 40), status >= 400 && status < 500]).toEqual([body.slice(0, 40), true])
    }
    expect((await ada.now())?.avatarUrl).toBeNull()
  })
})

test('the portfolio is added to, changed and removed from', async () => {
  const { send, open, user } = await person()
  const items = () => db.select().from(portfolioItems).where(eq(portfolioItems.userId, user.id))
  expect((await open('/settings/portfolio')).text).toContain('Nothing yet')
  const wrong = await send('/settings/portfolio', 'add', {
    title: 'A talk',
    url: 'no address',
    sortOrder: '0',
  })
  expect([wrong.status, alertIn(wrong)?.startsWith('Address must be')]).toEqual([400, true])
  expect(wrong.text).toContain('value="no address"')
  await send('/settings/portfolio', 'add', {
    title: '<i>A talk</i>',
    url: 'https://a.example',
    sortOrder: '3',
  })
  const [item] = await items()
  expect(item).toMatchObject({ title: '<i>A talk</i>', url: 'https://a.example', sortOrder: 3 })
  expect((await open('/settings/portfolio')).text).not.toContain('<i>')
  const id = item?.id as string
  await send('/settings/portfolio', 'change', { id, title: 'Two', description: '', url: '', sortOrder: '1' })
  expect((await items())[0]).toMatchObject({ title: 'Two', url: null, sortOrder: 1 })
  for (let times = 0; times < 2; times += 1)
    expect(went(await send('/settings/portfolio', 'remove', { id }))).toEqual([
      303,
      '/settings/portfolio?saved',
    ])
  expect(await items()).toEqual([])
})

describe('sessions', () => {
  const sessionsOf = (userId: string) => db.select().from(sessions).where(eq(sessions.userId, userId))

  test('are named by their browsers; one ends, and then all others', async () => {
    const { send, open, user } = await person()
    await makeSession(user.id)
    await makeSession(user.id)
    const [, second] = await sessionsOf(user.id)
    await db
      .update(sessions)
      .set({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' })
      .where(eq(sessions.id, second?.id as string))
    const { text } = await open('/settings/sessions')
    expect(text).toContain('Firefox on Linux')
    expect(text.match(/This one/g)).toHaveLength(1)
    await send('/settings/sessions', 'end', { id: second?.id as string })
    expect(await sessionsOf(user.id)).toHaveLength(2)
    await send('/settings/sessions', 'end-others')
    expect(await sessionsOf(user.id)).toHaveLength(1)
    const alone = await open('/settings/sessions')
    expect([alone.status, alone.text.includes('You are signed in nowhere else.')]).toEqual([200, true])
  })

  test('of another person cannot be ended', async () => {
    const [ada, eve] = [await person(), await person()]
    const [theirs] = await sessionsOf(eve.user.id)
    await ada.send('/settings/sessions', 'end', { id: theirs?.id as string })
    await ada.send('/settings/sessions', 'end-others')
    expect(await sessionsOf(eve.user.id)).toHaveLength(1)
  })
})

describe('tokens', () => {
  test('are made with scopes and an end, and shown this once', async () => {
    const { send, open, user } = await person()
    const made = await send('/settings/tokens', 'create', {
      name: 'Backup',
      scopes: ['read:user', 'read:events'],
      expiresInDays: '30',
    })
    const secret = /<code class="secret" id="secret">(fm_pat_\w+)<\/code>/.exec(made.text)?.[1] as string
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect((await get('/v1/me', { token: secret })).body.data.id).toBe(user.id)
    const listed = await open('/settings/tokens')
    expect(listed.text).toContain('Backup')
    expect(listed.text).not.toContain(secret)
    const [row] = await db.select().from(personalTokens).where(eq(personalTokens.userId, user.id))
    expect(row?.scopes).toEqual(['read:user', 'read:events'])
    expect(row?.expiresAt).not.toBeNull()
    await send('/settings/tokens', 'revoke', { id: row?.id as string })
    expect((await get('/v1/me', { token: secret })).status).toBe(401)
  })

  test('need a name and something that they may do', async () => {
    const { send } = await person()
    const nothing = await send('/settings/tokens', 'create', { name: 'Nothing', expiresInDays: '' })
    expect([nothing.status, alertIn(nothing)?.startsWith('What it may do must')]).toEqual([400, true])
    expect(nothing.text).toContain('value="Nothing"')
    const more = await send('/settings/tokens', 'create', { name: 'x', scopes: 'admin', expiresInDays: '' })
    expect(more.status).toBe(403)
    expect((await (await person()).open('/settings/tokens')).text).not.toContain('value="admin"')
  })
})

test('the personal calendar address works, can be subscribed to, and can be rotated', async () => {
  const { send, open } = await person()
  const addressIn = ({ text }: Answer) => /id="address">([^<]+)<\/code>/.exec(text)?.[1] as string
  const page = await open('/settings/feeds')
  const address = addressIn(page)
  expect(page.text).toContain(`href="${address.replace(/^http:/, 'webcal:')}"`)
  const path = (of: string) => new URL(of).pathname
  expect((await get(path(address))).headers.get('content-type')).toContain('text/calendar')
  expect(went(await send('/settings/feeds', 'rotate'))).toEqual([303, '/settings/feeds?rotated'])
  const after = addressIn(await open('/settings/feeds'))
  expect(after).not.toBe(address)
  expect([(await get(path(address))).status, (await get(path(after))).status]).toEqual([404, 200])
})

describe('passes', () => {
  const passesOf = (ownerId: string) => db.select().from(passes).where(eq(passes.ownerId, ownerId))

  test('show the own code, large too, which is rotated and switched off and on', async () => {
    const { send, open, user } = await person()
    const page = await open('/settings/passes')
    const [pass] = await passesOf(user.id)
    const id = pass?.id as string
    expect(page.text).toContain(`src="/pass/${id}/qr.svg"`)
    const stage = await open(`/settings/passes/${id}/show`)
    expect([stage.status, stage.text.includes('class="stage"')]).toEqual([200, true])
    await send('/settings/passes', 'change', { id, label: 'Lanyard', action: 'contact', autoFollow: '1' })
    await send('/settings/passes', 'switch', { id, isActive: '0' })
    expect((await passesOf(user.id))[0]).toMatchObject({
      ...{ label: 'Lanyard', action: 'contact', autoFollow: true, isActive: false },
    })
    expect((await open('/settings/passes')).text).toContain('Switched off')
    await send('/settings/passes', 'switch', { id, isActive: '1' })
    expect(went(await send('/settings/passes', 'rotate', { id }))).toEqual([303, '/settings/passes?rotated'])
    const [rotated] = await passesOf(user.id)
    expect([rotated?.id === id, rotated?.isActive, rotated?.label]).toEqual([false, true, 'Lanyard'])
    const eve = await person()
    expect((await eve.open(`/settings/passes/${rotated?.id}/show`)).status).toBe(404)
  })

  test('take a tag by its code and release it', async () => {
    const { send, user } = await person()
    const tag = await makeTag()
    const typed = (tag.match(/.{4}/g) as string[]).join('-').toUpperCase()
    const wrong = await send('/settings/passes', 'claim', { id: 'nothing' })
    expect([wrong.status, wrong.text.includes('value="nothing"')]).toEqual([404, true])
    expect(went(await send('/settings/passes', 'claim', { id: typed }))).toEqual([
      303,
      '/settings/passes?done',
    ])
    expect((await passesOf(user.id)).some(({ id }) => id === tag)).toBe(true)
    await send('/settings/passes', 'release', { id: tag })
    expect((await passesOf(user.id)).some(({ id }) => id === tag)).toBe(false)
  })

  test('tell whom their owner met, whom one can take off the list', async () => {
    const { send, open, user } = await person()
    await open('/settings/passes')
    const [pass] = await passesOf(user.id)
    const met = await makeUser({ name: 'Björn <b>' })
    const id = newId()
    await db
      .insert(connections)
      .values({ id, passId: pass?.id as string, ownerId: user.id, visitorId: met.id, createdAt: new Date() })
    const listed = await open('/settings/passes/met')
    expect(listed.text).toContain(`<a href="/u/${met.username}">Björn &lt;b&gt;</a>`)
    expect((await open('/settings/passes/met?direction=outbound')).text).not.toContain('Björn')
    expect((await open('/settings/passes')).text).toContain('You have met 1 person.')
    await send('/settings/passes/met', 'remove', { id })
    expect((await open('/settings/passes/met')).text).toContain('Nobody yet')
  })
})

describe('the account', () => {
  test('is deleted by its own name, and by nothing else', async () => {
    const { send, open, user, now } = await person()
    expect((await open('/settings/delete')).text).toContain(`Type ${user.username} to delete your account`)
    const wrong = await send('/settings/delete', 'delete', { confirm: 'somebody' })
    expect([wrong.status, alertIn(wrong)]).toEqual([
      400,
      'To delete your account, confirm with your username.',
    ])
    expect(went(await send('/settings/delete', 'delete', { confirm: user.username as string }))).toEqual([
      303,
      '/settings/deleted',
    ])
    expect(await now()).toBeUndefined()
    expect((await open('/settings/deleted')).text).toContain('<h1>Your account is deleted</h1>')
    expect(went(await open('/settings'))).toEqual([303, '/login?returnTo=%2Fsettings'])
  })
})
