import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import postgres from 'postgres'
import { databaseUrl, db } from '@/db/client'
import { outbox } from '@/db/tables/outbox'
import { signInMails } from '@/db/tables/sign-in'
import { users } from '@/db/tables/users'
import { welcomePath } from '@/web/login'
import { runSweeps } from '../../../../workers/sweeps'
import { type Answer, get, post } from '../../../support/api'
import { makeSession, makeUser } from '../../../support/make'
import { usualDeadlines } from '../../../support/usual-deadlines'
import {
  ask,
  askAndRead,
  cookiesOf,
  HERE,
  later,
  mailbox,
  mailsTo,
  me,
  newAddress,
  secretsOf,
  sessionIn,
  signIn,
  submit,
} from './fixtures'

const MINUTES_MS = 60_000

describe('the sign-in page', () => {
  test('offers mail in a form that works without script', async () => {
    const { status, text, headers } = await get('/login?returnTo=/events')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(text).toContain('<form method="post" action="/auth/email">')
    expect(text).toContain('name="returnTo" value="/events"')
    expect(text).toContain('<label for="email">')
    expect(text).not.toContain('<script')
  })

  test('redirects signed-in people to their destination', async () => {
    const session = await makeSession((await makeUser()).id)
    const there = await get('/login?returnTo=/events%3Fwhen%3Dpast', { session })
    expect([there.status, there.headers.get('location')]).toEqual([303, '/events?when=past'])
    const home = await get('/login', { session })
    expect([home.status, home.headers.get('location')]).toEqual([303, '/'])
  })

  test('treats a stale or duplicate cookie as anonymous', async () => {
    expect((await get('/login', { session: 'a'.repeat(64) })).status).toBe(200)
    expect((await get('/login', { headers: { cookie: 'session=a; session=b' } })).status).toBe(200)
  })
})

describe('asking for a mail', () => {
  test('sends a link and a code, as text and as HTML', async () => {
    const email = newAddress()
    const page = await ask(email)
    expect(page.status).toBe(200)
    expect(page.text).toContain('name="code"')
    const { token, code, mail } = await secretsOf(email)
    expect(mail).toMatchObject({ to: email, subject: 'Sign in to Folkmoot' })
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(code).toMatch(/^\d{6}$/)
    expect(mail.text).toContain(`http://localhost/auth/email/verify?token=${token}`)
    expect(mail.html).toContain(`href="http://localhost/auth/email/verify?token=${token}"`)
    expect(mail.html).toContain(code)
    expect(mail.at).toMatch(/^\d{4}-.*Z$/)
    expect(mail.subject).not.toContain(code)
  })

  test('a choice of language leads back to what was asked, or is not offered', async () => {
    const backIn = ({ text }: { text: string }) => /name="back" value="([^"]*)"/.exec(text)?.[1]
    expect(backIn(await get('/login?returnTo=%2Fgroups'))).toBe('/login?returnTo=%2Fgroups')
    const email = newAddress()
    expect(backIn(await ask(email))).toBeUndefined()
    const { token } = await secretsOf(email)
    const almost = await get(`/auth/email/verify?token=${token}`)
    expect([almost.status, backIn(almost), almost.text.split(token).length]).toEqual([200, undefined, 2])
  })

  test('programs send JSON and get JSON', async () => {
    const email = newAddress()
    const answer = await post('/auth/email', { json: { email, returnTo: '/groups' } })
    expect([answer.status, answer.body]).toEqual([200, { data: { success: true } }])
    const { code } = await secretsOf(email)
    const entered = await post('/auth/email/verify', { json: { email, code } })
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/groups'])
    expect((await me(sessionIn(entered))).email).toBe(email)
  })

  test('refuses an invalid address and sends nothing', async () => {
    const before = (await mailbox()).length
    for (const email of [
      '',
      'ada',
      'ada@',
      '@folk.example',
      'a b@folk.example',
      'ada@folk.example, eve@folk.example',
      'ada@folk.example\nbcc: eve@folk.example',
      '"ada"@folk.example',
      '<ada@folk.example>',
      'ada@folk..example',
      'ad\u0131@folk.example',
      `${'a'.repeat(65)}@folk.example`,
      `ada@${'a.'.repeat(130)}example`,
    ]) {
      const page = await ask(email)
      expect([email, page.status]).toEqual([email, 400])
      expect(page.text).toContain('role="alert"')
      const json = await post('/auth/email', { json: { email } })
      expect([email, json.status, json.body.code]).toEqual([email, 400, 'validation_error'])
      if (email.length > 6) expect(json.text).not.toContain(email)
    }
    for (const json of [{}, { email: 5 }, { email: ['a@folk.example'] }, [], 'x'])
      expect((await post('/auth/email', { json })).body.code).toBe('validation_error')
    expect((await mailbox()).length).toBe(before)
  })

  test('what was mistyped comes back in the form, harmless', async () => {
    const page = await ask('"><script>alert(1)</script>')
    expect(page.text).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"')
    expect(page.text).not.toContain('<script>')
  })

  test('a repeated field is refused', async () => {
    const { status } = await post('/auth/email', {
      body: 'email=a%40folk.example&email=b%40folk.example',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(status).toBe(400)
  })
})

describe('mails in an hour', () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const accepted = (answers: { status: number }[]) => answers.filter(({ status }) => status === 200).length

  test('are five for a mailbox and an address, whether we know it or not, with or without a plus', async () => {
    const known = (await makeUser()).email as string
    const stranger = newAddress()
    for (const email of [known, stranger]) {
      const here = from('10.203.1.1')
      for (let i = 0; i < 4; i += 1) expect((await ask(email, {}, here)).status).toBe(200)
      expect((await ask(email.replace('@', '+tag@').toUpperCase(), {}, here)).status).toBe(200)
      const refused = await ask(email, {}, here)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get('retry-after'))).toBeWithin(3500, 3601)
      expect(refused.headers.get('x-ratelimit-limit')).toBe('5')
      expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
      expect(refused.text).toContain('Several emails went to this address already')
      expect((await post('/auth/email', { json: { email }, ...here })).body.code).toBe('rate_limited')
      expect(await mailsTo(email)).toHaveLength(4)
      // Whoever asked first must not lock the mailbox's owner out, who is somewhere else.
      expect((await ask(email, {}, from('10.203.1.2'))).status).toBe(200)
    }
    await later(61 * MINUTES_MS, async () =>
      expect((await ask(known, {}, from('10.203.1.1'))).status).toBe(200),
    )
  })

  test('are twenty for a mailbox from many addresses at once, and what is refused uses nothing up', async () => {
    const email = newAddress()
    const here = from('10.203.2.1')
    const first = await Promise.all(Array.from({ length: 30 }, () => ask(email, {}, here)))
    expect(accepted(first)).toBe(5)
    const elsewhere = await Promise.all(
      Array.from({ length: 40 }, (_, i) => ask(email, {}, from(`10.203.3.${i}`))),
    )
    expect(accepted(elsewhere)).toBe(15)
    expect(elsewhere.filter(({ status }) => status === 429)).toHaveLength(25)
    expect(elsewhere.find(({ status }) => status === 429)?.headers.get('x-ratelimit-limit')).toBe('20')
    expect(await mailsTo(email)).toHaveLength(20)
    // Those that were refused for the sake of the mailbox were not counted for their addresses.
    expect(accepted(await Promise.all(Array.from({ length: 5 }, () => ask(newAddress(), {}, here))))).toBe(5)
  })

  test('are not used up by those that our own database kept from being sent', async () => {
    using _ = usualDeadlines()
    const [email, here] = [newAddress(), from('10.203.5.1')]
    const sql = postgres(databaseUrl(), { max: 1, onnotice: () => {} })
    await sql.begin(async (tx) => {
      await tx`lock table sign_in_mails in access exclusive mode`
      const failed = await Promise.all(Array.from({ length: 5 }, () => ask(email, {}, here)))
      expect(failed.map(({ status }) => status)).toEqual(Array(5).fill(503))
    })
    await sql.end()
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(email, {}, here)))
    expect(accepted(answers)).toBe(5)
  })

  test('are limited to 300 per IP address over all mailboxes', async () => {
    const here = from('10.203.4.1')
    const email = newAddress()
    for (let i = 0; i < 5; i += 1) await ask(email, {}, here)
    for (let i = 0; i < 3; i += 1) expect((await ask(email, {}, here)).status).toBe(429)
    const answers: Answer[] = []
    // A few at a time: what a busy server sends away is not counted.
    while (answers.every(({ status }) => status !== 429))
      answers.push(...(await Promise.all(Array.from({ length: 10 }, () => ask(newAddress(), {}, here)))))
    expect(accepted(answers)).toBe(295)
    const refused = await ask(newAddress(), {}, here)
    expect([refused.status, refused.headers.get('x-ratelimit-limit')]).toEqual([429, '300'])
    expect(refused.text).toContain('Too many emails were requested from here')
    expect((await ask(newAddress(), {}, from('10.203.4.2'))).status).toBe(200)
  })
})

describe('the link', () => {
  test('shows a button and signs in only by it, however often it is opened', async () => {
    const email = newAddress()
    const { token } = await askAndRead(email)
    for (let i = 0; i < 3; i += 1) {
      const page = await get(`/auth/email/verify?token=${token}`)
      expect(page.status).toBe(200)
      expect(page.text).toContain(email)
      expect(page.text).toContain(`name="token" value="${token}"`)
      expect(page.headers.getSetCookie()).toEqual([])
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    }
    expect(await db.select().from(users).where(eq(users.email, email))).toEqual([])
    expect((await submit('/auth/email/verify', { token })).status).toBe(303)
  })

  test('works once', async () => {
    const { token, code } = await askAndRead(newAddress())
    const entered = await submit('/auth/email/verify', { token })
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/welcome'])
    const again = await submit('/auth/email/verify', { token })
    expect([again.status, again.headers.getSetCookie()]).toEqual([410, []])
    expect(again.text).toContain('request a new one')
    expect((await get(`/auth/email/verify?token=${token}`)).status).toBe(410)
    const email = newAddress()
    expect((await submit('/auth/email/verify', { email, code })).status).toBe(410)
  })

  test('and its code are one key: either uses up both, and every other mail to that address', async () => {
    const email = newAddress()
    const first = await askAndRead(email)
    const second = await askAndRead(email)
    expect(first.token).not.toBe(second.token)
    expect((await submit('/auth/email/verify', { token: second.token })).status).toBe(303)
    expect((await submit('/auth/email/verify', { email, code: second.code })).status).toBe(410)
    expect((await submit('/auth/email/verify', { token: first.token })).status).toBe(410)
    expect((await submit('/auth/email/verify', { email, code: first.code })).status).toBe(410)
  })

  test('of another mail is invalid after a sign-in by code', async () => {
    const email = newAddress()
    const first = await askAndRead(email)
    const second = await askAndRead(email)
    expect((await submit('/auth/email/verify', { email, code: second.code })).status).toBe(303)
    for (const { token, code } of [first, second]) {
      expect((await get(`/auth/email/verify?token=${token}`)).status).toBe(410)
      expect((await submit('/auth/email/verify', { token })).status).toBe(410)
      expect((await submit('/auth/email/verify', { email, code })).status).toBe(410)
    }
  })

  test('lives for fifteen minutes and is swept away after', async () => {
    const email = newAddress()
    const { token, code } = await askAndRead(email)
    const open = async () => (await get(`/auth/email/verify?token=${token}`)).status
    expect(await later(14 * MINUTES_MS, open)).toBe(200)
    await later(15.1 * MINUTES_MS, async () => {
      expect(await open()).toBe(410)
      expect((await submit('/auth/email/verify', { token })).status).toBe(410)
      expect((await submit('/auth/email/verify', { email, code })).status).toBe(410)
      await runSweeps()
    })
    expect(await db.select().from(signInMails).where(eq(signInMails.email, email))).toEqual([])
  })

  test('that we never sent is dead', async () => {
    for (const token of ['', 'x', 'a'.repeat(64), 'A'.repeat(64), "' or 1=1 --", '%00', 'a'.repeat(5000)]) {
      expect((await get(`/auth/email/verify?token=${encodeURIComponent(token)}`)).status).toBe(410)
      expect((await submit('/auth/email/verify', { token })).status).toBe(410)
    }
    expect((await get('/auth/email/verify')).status).toBe(410)
    expect((await get(`/auth/email/verify?token=a&token=b`)).status).toBe(400)
  })
})

describe('the code', () => {
  test('signs in, typed with a space as well, and leads to where one wanted to be', async () => {
    const email = newAddress()
    const { code } = await askAndRead(email, { returnTo: '/groups/bun?tab=events' })
    const entered = await submit('/auth/email/verify', {
      email: email.toUpperCase(),
      code: ` ${code.slice(0, 3)} ${code.slice(3)} `,
    })
    expect([entered.status, entered.headers.get('location')]).toEqual([
      303,
      welcomePath('/groups/bun?tab=events'),
    ])
    expect((await me(sessionIn(entered))).email).toBe(email)
  })

  test('of an older mail works while it lives', async () => {
    const email = newAddress()
    const { code } = await askAndRead(email)
    await ask(email)
    expect((await submit('/auth/email/verify', { email, code })).status).toBe(303)
  })

  test('that is wrong gives the form back, with where one wanted to be', async () => {
    const email = newAddress()
    const { code } = await askAndRead(email, { returnTo: '/events' })
    const wrong = code === '000000' ? '000001' : '000000'
    const page = await submit('/auth/email/verify', { email, code: wrong, returnTo: '/events' })
    expect(page.status).toBe(410)
    expect(page.text).toContain('role="alert"')
    expect(page.text).toContain('name="returnTo" value="/events"')
    expect(page.text).toContain(`name="email" value="${email}"`)
    expect((await submit('/auth/email/verify', { email, code })).status).toBe(303)
  })

  test('without one, or without an address, nothing happens', async () => {
    expect((await submit('/auth/email/verify', {})).status).toBe(400)
    expect((await submit('/auth/email/verify', { code: '123456' })).status).toBe(400)
    expect((await submit('/auth/email/verify', { email: newAddress() })).status).toBe(410)
  })
})

describe('a first sign-in', () => {
  test('is registered, with a name that says nothing of the address', async () => {
    const email = `grace.hopper-${crypto.randomUUID()}@folk.example`
    const session = await signIn(email)
    const { data } = (await get('/v1/profile', { session })).body
    expect(data).toMatchObject({ name: 'New member', email, role: 'user', profileVisibility: 'public' })
    expect(data.username).toMatch(/^user-[0-9a-f]{8}$/)
    const { lastLoginAt } = await me(session)
    expect(Math.abs(Date.parse(lastLoginAt) - Date.parse(data.createdAt))).toBeLessThan(5 * 3_600_000)
    const domainEvents = await db.select().from(outbox).where(eq(outbox.type, 'user.registered'))
    expect(
      domainEvents.filter(({ payload }) => (payload as { userId: string }).userId === data.id),
    ).toHaveLength(1)
  })

  test('is in the directory at once', async () => {
    const reader = await makeSession((await makeUser()).id)
    const newest = async () => (await get('/v1/users?limit=5', { session: reader })).body.data
    await newest()
    const { username } = await me(await signIn(newAddress()))
    expect((await newest())[0].username).toBe(username)
  })

  test('is found again regardless of the case of the address', async () => {
    const email = newAddress()
    const first = await me(await signIn(email))
    const second = await me(await signIn(email.toUpperCase().toLowerCase()))
    expect(second.id).toBe(first.id)
    const kept = await makeUser({ email: `Mixed.${newAddress()}` })
    await ask((kept.email as string).toLowerCase())
    const { token } = await secretsOf((kept.email as string).toLowerCase())
    expect((await me(sessionIn(await submit('/auth/email/verify', { token })))).id).toBe(kept.id)
  })

  test('the cache of a person is fresh: when they were last here', async () => {
    const user = await makeUser()
    const old = await makeSession(user.id)
    expect((await me(old)).lastLoginAt).toBeNull()
    await signIn(user.email as string)
    expect((await me(old)).lastLoginAt).not.toBeNull()
  })
})

test('the session cookie is for this host alone, out of reach of scripts, and long enough to slide', async () => {
  const { token } = await askAndRead(newAddress())
  const entered = await submit('/auth/email/verify', { token })
  expect([...cookiesOf(entered).keys()]).toEqual(['session'])
  const cookie = cookiesOf(entered).get('session')
  expect(cookie?.value).toMatch(/^[0-9a-f]{64}$/)
  expect(cookie?.attributes).toEqual(['Path=/', 'Max-Age=34560000', 'HttpOnly', 'SameSite=Lax'])
})

test('a suspended person cannot sign in and sees why; the mail stays unused', async () => {
  const user = await makeUser({ suspendedAt: new Date() })
  const { token, code } = await askAndRead(user.email as string)
  for (const fields of [{ token }, { email: user.email as string, code }] as Record<string, string>[]) {
    const refused = await submit('/auth/email/verify', fields)
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([403, []])
    expect(refused.text).toContain('suspended')
  }
})

describe('the mailbox', () => {
  test('shows mails to a browser on this machine', async () => {
    const email = newAddress()
    const { token } = await askAndRead(email)
    const page = await get(`/dev/mailbox?to=${encodeURIComponent(email)}`, { headers: HERE })
    expect(page.status).toBe(200)
    expect(page.text).toContain(email)
    expect(page.text).toContain(`<a href="http://localhost/auth/email/verify?token=${token}">`)
    await ask(email)
    const [newest, oldest, ...others] = await mailsTo(email)
    expect([others.length, oldest?.text.includes(token), newest?.text.includes(token)]).toEqual([
      0,
      true,
      false,
    ])
    for (let i = 0; i < 101; i += 1) await ask(newAddress())
    expect(await mailbox()).toHaveLength(100)
  })

  test('shows a mail as its reader sees it, which can do nothing there but follow its links', async () => {
    const { mail, code } = await askAndRead(newAddress())
    const page = await get(`/dev/mailbox?to=${encodeURIComponent(mail.to)}`, { headers: HERE })
    expect(page.text).toContain(`<iframe class="mail" src="/dev/mailbox/${mail.id}"`)
    expect(page.headers.get('content-security-policy')).toEndWith("; frame-src 'self'")
    const shown = await get(`/dev/mailbox/${mail.id}`, { headers: HERE })
    expect(shown.status).toBe(200)
    expect(shown.text).toContain(`>${code}</p>`)
    expect(shown.text.replace('\n<base target="_top">', '')).toBe(mail.html)
    expect(shown.headers.get('x-frame-options')).toBe('SAMEORIGIN')
    expect(shown.headers.get('cache-control')).toBe('no-store')
    const policy = shown.headers.get('content-security-policy')
    expect(policy).toStartWith("default-src 'none'; style-src 'unsafe-inline';")
    expect(policy).toEndWith("frame-ancestors 'self'; sandbox allow-top-navigation-by-user-activation")
    for (const id of [crypto.randomUUID(), 'x', '%00', '..%2f..'])
      expect([id, (await get(`/dev/mailbox/${id}`, { headers: HERE })).status]).toEqual([id, 404])
  })

  test('is not there for anyone else', async () => {
    const { mail } = await askAndRead(newAddress())
    for (const path of ['/dev/mailbox', '/dev/mailbox.json', `/dev/mailbox/${mail.id}`])
      for (const headers of [
        { 'x-forwarded-for': '203.0.113.9' },
        { ...HERE, host: 'evil.example' },
        { 'x-forwarded-for': '203.0.113.9, 127.0.0.1' },
      ] as Record<string, string>[])
        expect([headers, (await get(path, { headers })).status]).toEqual([headers, 404])
  })
})
