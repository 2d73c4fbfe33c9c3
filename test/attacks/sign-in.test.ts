import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { hashSecret } from '@/auth/secrets'
import { randomHex } from '@/core/codes'
import { db } from '@/db/client'
import { signInFailures } from '@/db/tables/sign-in'
import { formTargets } from '@/modules/access/sign-in/form-targets'
import { mailboxKey } from '@/outbound/mail/send'
import { welcomePath } from '@/web/login'
import { ownPath } from '@/web/redirect'
import { runSweeps } from '../../workers/sweeps'
import {
  ask,
  askAndRead,
  HERE,
  later,
  mailsTo,
  newAddress,
  secretsOf,
  sessionIn,
  submit,
} from '../modules/access/sign-in/fixtures'
import { call, get, post } from '../support/api'
import { type MadeUser, makeSession, makeUser } from '../support/make'
import { statementsOf } from '../support/statements'
import { leastDifferenceMs } from '../support/timing'

/** What is asked for, and where it leads. */
const PATHS: [string, string][] = [
  ['/', '/'],
  ['/events', '/events'],
  ['/events/1?tab=a&x=%2F%2Fevil.example#top', '/events/1?tab=a&x=%2F%2Fevil.example#top'],
  [
    '/oauth/authorize?client_id=a&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&state=a%0D%0Ab',
    '/oauth/authorize?client_id=a&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&state=a%0D%0Ab',
  ],
  ['/café', '/caf%C3%A9'],
  ['/a/../b', '/b'],
  ['', '/'],
  ['events', '/'],
  ['//evil.example', '/'],
  ['///evil.example', '/'],
  ['/\\evil.example', '/'],
  ['\\/evil.example', '/'],
  ['/\\/evil.example', '/'],
  ['/%2fevil.example', '/'],
  ['/%2F%2Fevil.example', '/'],
  ['/%5cevil.example', '/'],
  ['%2f%2fevil.example', '/'],
  ['%2F/evil.example', '/'],
  ['https://evil.example', '/'],
  ['https:evil.example', '/'],
  ['https:/evil.example', '/'],
  ['http://localhost@evil.example', '/'],
  ['http://localhost/events', '/'],
  ['javascript:alert(1)', '/'],
  ['data:text/html,x', '/'],
  ['/.//evil.example', '/'],
  ['/..//evil.example', '/'],
  ['/x/..//evil.example', '/'],
  ['/%2e%2e//evil.example', '/'],
  ['/./%2fevil.example', '/'],
  ['/./\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/\n/evil.example', '/'],
  ['\t//evil.example', '/'],
  [' //evil.example', '/'],
  ['/x\r\nSet-Cookie: session=1', '/'],
  ['/x\nLocation: https://evil.example', '/'],
  ['/x\u0000', '/'],
  ['/x\u0085y', '/'],
  ['/x y', '/'],
  ['/\ud800', '/%EF%BF%BD'],
  [`/${'a'.repeat(3999)}`, `/${'a'.repeat(3999)}`],
  [`/${'a'.repeat(4000)}`, '/'],
  [`/${'é'.repeat(1400)}`, '/'],
  // What begins there was begun by whoever wrote the link, with the session of whoever follows it.
  ['/auth/oidc?returnTo=/', '/'],
  ['/auth/', '/'],
  ['/x/../auth/oidc', '/'],
  ['/%2e/auth/oidc', '/'],
  ['/authors?of=/auth/oidc', '/authors?of=/auth/oidc'],
  ['@evil.example', '/'],
  ['.evil.example', '/'],
  ['?next=//evil.example', '/'],
  ['#//evil.example', '/'],
]

describe('where one is sent after signing in', () => {
  test('is a path of this server or the front page, for any input', () => {
    for (const [asked, leads] of PATHS) {
      expect([asked, ownPath(asked)]).toEqual([asked, leads])
      // What a browser makes of it, on the server's own address.
      expect(new URL(ownPath(asked), 'https://folkmoot.example/login').origin).toBe(
        'https://folkmoot.example',
      )
    }
    expect([ownPath(null), ownPath(undefined)]).toEqual(['/', '/'])
    const long = (length: number) => `/${'a'.repeat(length - 1)}`
    expect([ownPath(long(4000)), ownPath(long(4001))]).toEqual([long(4000), '/'])
  })

  test('on every way: the page, signed-in people, the mail', async () => {
    const session = await makeSession((await makeUser()).id)
    for (const [asked, leads] of PATHS.filter(([path]) => path.isWellFormed())) {
      const query = `/login?returnTo=${encodeURIComponent(asked)}`
      const there = await get(query, { session })
      expect([asked, there.status, there.headers.get('location')]).toEqual([asked, 303, leads])
      const page = await get(query)
      const held = /name="returnTo" value="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&')
      expect([asked, held]).toEqual([asked, leads])
      const email = newAddress()
      await post('/auth/email', { json: { email, returnTo: asked } })
      const { token } = await secretsOf(email)
      const entered = await submit('/auth/email/verify', { token, returnTo: 'https://evil.example' })
      const onward = welcomePath(leads)
      expect([asked, entered.status, entered.headers.get('location')]).toEqual([asked, 303, onward])
      expect(entered.headers.getSetCookie()).toHaveLength(1)
    }
  })

  test('a form may lead on to the application that waits behind it, and to nothing else', () => {
    const behind = (redirect: string) =>
      formTargets(`/oauth/authorize?redirect_uri=${encodeURIComponent(redirect)}`)
    const table: [string, string][] = [
      ['https://app.example/cb?x=1', "'self' https://app.example"],
      ['http://127.0.0.1:4567/cb', "'self' http://127.0.0.1:4567"],
      ['http://[::1]:4567/cb', "'self' http:"],
      ['com.example.app:/cb', "'self' com.example.app:"],
      ['https://a;script-src/', "'self' https:"],
      ['https://a,b.example/', "'self' https:"],
      ["https://x'y/", "'self' https:"],
      ['javascript:alert(1)', "'self'"],
      ['data:text/html,x', "'self'"],
      ['nonsense', "'self'"],
    ]
    for (const [redirect, targets] of table) expect([redirect, behind(redirect)]).toEqual([redirect, targets])
    expect(formTargets('/events?redirect_uri=https://evil.example')).toBe("'self'")
    expect(formTargets('/')).toBe("'self'")
  })
})

test('known and unknown addresses get the same answer, byte for byte', async () => {
  const [known, suspended, stranger] = [newAddress(), newAddress(), newAddress()]
  await makeUser({ email: known })
  await makeUser({ email: suspended, suspendedAt: new Date() })
  const answers: unknown[] = []
  for (const email of [known, suspended, stranger]) {
    const json = await post('/auth/email', { json: { email } })
    const page = await ask(email)
    const wrong = await submit('/auth/email/verify', { email, code: '000' })
    answers.push(
      [json, page, wrong].map(({ status, text, headers }) => [
        status,
        text.replaceAll(email, '(address)'),
        // The length of a compressed page depends on the address that it repeats.
        [...headers].filter(([name]) => !['x-request-id', 'date', 'content-length'].includes(name)),
      ]),
    )
    expect(await mailsTo(email)).toHaveLength(2)
  }
  expect(answers[1]).toEqual(answers[0])
  expect(answers[2]).toEqual(answers[0])
  // And once there are too many.
  const refused: unknown[] = []
  const here = { headers: { 'x-forwarded-for': '10.201.1.1' } }
  for (const email of [known, suspended, stranger]) {
    for (let i = 0; i < 5; i += 1) await ask(email, {}, here)
    const { status, text } = await ask(email, {}, here)
    refused.push([status, text.replace(/in \d+ \w+/, 'in a while')])
  }
  expect(refused[0]).toEqual([429, expect.any(String)])
  expect(refused[1]).toEqual(refused[0])
  expect(refused[2]).toEqual(refused[0])
})

test('answers for known and unknown addresses take the same time and the same statements', async () => {
  const people: MadeUser[] = []
  while (people.length < 300)
    people.push(...(await Promise.all(Array.from({ length: 20 }, () => makeUser()))))
  const ask = (email: string) => post('/auth/email', { json: { email } })
  const known = () => ask(people.pop()?.email as string)
  const stranger = () => ask(newAddress())
  expect(await statementsOf(known)).toBe(await statementsOf(stranger))
  expect(await leastDifferenceMs(known, stranger)).toBeLessThan(1)
})

describe('guessing a code', () => {
  test('five tries for a mail, from as many addresses as one likes', async () => {
    const email = newAddress()
    const { code, token } = await askAndRead(email)
    const wrong = (i: number) => String((Number(code) + i) % 1_000_000).padStart(6, '0')
    for (let i = 1; i <= 5; i += 1)
      expect((await submit('/auth/email/verify', { email, code: wrong(i) })).status).toBe(410)
    expect((await submit('/auth/email/verify', { email, code })).status).toBe(410)
    // The link is too long to be guessed, so whoever has the mail still gets in.
    expect((await submit('/auth/email/verify', { token })).status).toBe(303)
  })

  const verify = (fields: Record<string, string>, address: string) =>
    submit('/auth/email/verify', fields, { headers: { 'x-forwarded-for': address } })

  test('ten wrong codes a minute for a mailbox and an address, which is all that they close', async () => {
    const [here, elsewhere] = ['10.201.0.7', '10.201.0.9']
    const [email, other] = [newAddress(), newAddress()]
    const { token, code } = await askAndRead(email)
    for (let i = 0; i < 10; i += 1)
      expect((await verify({ email: newAddress(), code: '000' }, here)).status).toBe(410)
    // With a mail that could hold the code and without one.
    for (let i = 0; i < 10; i += 1) expect((await verify({ email, code: 'wrong' }, here)).status).toBe(410)
    const refused = await verify({ email, code }, here)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61)
    expect(refused.headers.get('x-ratelimit-limit')).toBe('10')
    expect(refused.text).toContain('Please wait a moment')
    const json = await post('/auth/email/verify', {
      json: { email, code },
      headers: { 'x-forwarded-for': here },
    })
    expect([json.status, json.body.code]).toEqual([429, 'rate_limited'])
    // The same mailbox elsewhere, another one here, and its link here.
    expect((await verify({ email, code: 'wrong' }, elsewhere)).status).toBe(410)
    const { code: theirs } = await askAndRead(other)
    expect((await verify({ email: other, code: theirs }, here)).status).toBe(303)
    expect((await verify({ token }, here)).status).toBe(303)
    expect((await later(60_001, () => verify({ email, code: 'wrong' }, here))).status).toBe(410)
  })

  test('a link is never limited, however many wrong ones were tried at the address', async () => {
    const { token } = await askAndRead(newAddress())
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => verify({ token: randomHex(32) }, '10.201.0.10')),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([410]))
    expect((await verify({ token }, '10.201.0.10')).status).toBe(303)
  })

  /** Mails and wrong codes for them until so many were tried, each from another address. */
  async function guessAt(email: string, times: number) {
    for (let i = 0; i < times; i += 1) {
      if (i % 5 === 0) await ask(email)
      expect((await submit('/auth/email/verify', { email, code: 'wrong' })).status).toBe(410)
    }
  }

  test('thirty wrong codes a day for a mailbox, over all its mails and addresses; its link still works', async () => {
    const email = newAddress()
    await guessAt(email, 30)
    const { token, code } = await askAndRead(email)
    const refused = await submit('/auth/email/verify', { email, code })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(86_000, 86_401)
    expect(refused.headers.get('x-ratelimit-limit')).toBe('30')
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(refused.text).toContain('open the link in your newest email')
    // A part after a plus is the same mailbox.
    const tagged = email.replace('@', '+tag@')
    const { code: taggedCode } = await askAndRead(tagged)
    expect((await submit('/auth/email/verify', { email: tagged, code: taggedCode })).status).toBe(429)
    expect((await submit('/auth/email/verify', { token })).status).toBe(303)
    await later(24 * 3_600_000 + 1, async () => {
      const { code: next } = await askAndRead(email)
      expect((await submit('/auth/email/verify', { email, code: next })).status).toBe(303)
    })
  })

  test('right codes are not counted, nor are codes for a mailbox to which nothing was sent', async () => {
    const email = newAddress()
    for (let i = 0; i < 40; i += 1)
      expect((await submit('/auth/email/verify', { email, code: 'wrong' })).status).toBe(410)
    await guessAt(email, 15)
    for (let i = 0; i < 2; i += 1) {
      const { code } = await askAndRead(email)
      expect((await submit('/auth/email/verify', { email, code })).status).toBe(303)
    }
    await guessAt(email, 14)
    const { code } = await askAndRead(email)
    expect((await submit('/auth/email/verify', { email, code })).status).toBe(303)
  })

  test('the count of a day is swept once the day is over', async () => {
    const email = newAddress()
    await guessAt(email, 1)
    const counted = async () =>
      (
        await db
          .select()
          .from(signInFailures)
          .where(eq(signInFailures.mailbox, mailboxKey(email)))
      ).length
    await runSweeps()
    expect(await counted()).toBe(1)
    await later(24 * 3_600_000 + 1, runSweeps)
    expect(await counted()).toBe(0)
  })

  test('people who get in are not counted', async () => {
    const headers = { 'x-forwarded-for': '10.201.0.8' }
    for (let i = 0; i < 12; i += 1) {
      const { token } = await askAndRead(newAddress())
      expect((await submit('/auth/email/verify', { token }, { headers })).status).toBe(303)
    }
  })

  test('a code is worth nothing for another address', async () => {
    const [mine, theirs] = [newAddress(), newAddress()]
    const { code } = await askAndRead(mine)
    await ask(theirs)
    const { code: other } = await secretsOf(theirs)
    if (code !== other) expect((await submit('/auth/email/verify', { email: theirs, code })).status).toBe(410)
  })
})

describe('another site', () => {
  const FOREIGN: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost.evil.example' },
  ]
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  test('cannot sign a visitor in to another account, nor send mail', async () => {
    const email = newAddress()
    const { token, code } = await askAndRead(email)
    for (const headers of FOREIGN) {
      for (const body of [`token=${token}`, `email=${encodeURIComponent(email)}&code=${code}`]) {
        const refused = await post('/auth/email/verify', { headers: { ...form, ...headers }, body })
        expect([headers, refused.status, refused.headers.getSetCookie()]).toEqual([headers, 403, []])
        expect(refused.headers.get('content-type')).toContain('text/html')
      }
      const asked = await post('/auth/email', {
        headers: { ...form, ...headers },
        body: `email=${encodeURIComponent(email)}`,
      })
      expect([headers, asked.status]).toEqual([headers, 403])
      const json = await post('/auth/email', { headers, json: { email } })
      expect([headers, json.status, json.body?.code]).toEqual([headers, 403, 'forbidden'])
    }
    expect(await mailsTo(email)).toHaveLength(1)
    expect((await submit('/auth/email/verify', { token })).status).toBe(303)
  })

  test('cannot send other kinds of bodies either, nor read an answer', async () => {
    const email = newAddress()
    for (const type of [
      'text/plain',
      'multipart/form-data; boundary=x',
      '',
      'application/json; charset=utf-16',
    ])
      expect(
        (await post('/auth/email', { headers: { 'content-type': type }, body: JSON.stringify({ email }) }))
          .status,
      ).toBe(400)
    const answer = await post('/auth/email', {
      json: { email },
      headers: { origin: 'https://app.folkmoot.example' },
    })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(
      (await call('OPTIONS', '/auth/email', { headers: { origin: 'https://evil.example' } })).status,
    ).toBe(404)
  })
})

describe('what people type', () => {
  test('does not reach headers or other people’s mail', async () => {
    const injected = `eve-${randomHex(4)}@folk.example\r\nBcc: all@folk.example`
    expect((await ask(injected)).status).toBe(400)
    const page = await get('/login?returnTo=%2Fx%0d%0aSet-Cookie:%20session=1')
    expect(page.headers.getSetCookie()).toEqual([])
    expect((await get('/auth/email/verify?token=%0d%0aSet-Cookie:a=b')).headers.getSetCookie()).toEqual([])
  })

  test('is harmless on every page', async () => {
    const mark = '"><img src=x onerror=alert(1)>'
    const pages = [
      await get(`/login?returnTo=${encodeURIComponent(`/${mark}`)}`),
      await ask(mark),
      await ask(newAddress(), { returnTo: `/${mark}` }),
      await submit('/auth/email/verify', { email: newAddress(), code: mark, returnTo: `/${mark}` }),
      await get(`/auth/email/verify?token=${encodeURIComponent(mark)}`),
      await get(`/auth/${encodeURIComponent(mark)}`),
    ]
    for (const { text } of pages) expect(text).not.toContain('<img')
  })

  test('and a broken body is no fault of ours', async () => {
    for (const path of ['/auth/email', '/auth/email/verify'])
      for (const body of ['%', '%ff%fe', 'email=%00&code=%00', 'x'.repeat(70_000), '&&&=&', 'token[]=1'])
        expect([400, 410, 413]).toContain(
          (await post(path, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body }))
            .status,
        )
  })
})

test('a Host that is no name is no fault of ours', async () => {
  const { token } = await askAndRead(newAddress())
  for (const host of ['a b', '[', '', 'a?b', 'a/b', '%', 'a:99999']) {
    const at = (path: string) => get(path, { headers: { ...HERE, host } })
    const page = await at('/login?returnTo=/events%3Fa=1')
    expect([host, page.status]).toEqual([host, 200])
    expect(page.text).toContain('name="returnTo" value="/events?a=1"')
    expect([host, (await at(`/auth/email/verify?token=${token}`)).status]).toEqual([host, 200])
    expect([host, (await at('/auth/nobody?returnTo=/')).status]).toEqual([host, 404])
    // Only who asks for this machine by its name reads its mail.
    expect([host, (await at('/dev/mailbox.json')).status]).toEqual([host, 404])
  }
})

test('neither link, code nor session lies in the database in clear', async () => {
  const email = newAddress()
  const first = await askAndRead(email)
  const session = sessionIn(await submit('/auth/email/verify', { token: first.token }))
  const live = await askAndRead(email)
  const secrets = [first.token, live.token, session, first.code, live.code]
  const columns = await db.execute(sql`
    select table_name, column_name, data_type from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'bytea', 'jsonb', 'ARRAY', 'character varying')`)
  expect(columns.length).toBeGreaterThan(50)
  const found: string[] = []
  let looked = 0
  for (const { table_name: table, column_name: column, data_type: type } of columns) {
    const value = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`
    const rows = await db.execute(
      sql.raw(`select ${value} as value from "${table}" where "${column}" is not null limit 20000`),
    )
    for (const row of rows) {
      const text = String(row.value)
      looked += 1
      // Six digits turn up by chance within longer words; the code alone does not.
      for (const secret of secrets)
        if (secret.length === 6 ? text.split(/[^0-9a-zA-Z]+/).includes(secret) : text.includes(secret))
          found.push(`${table}.${column}`)
    }
    if (type === 'bytea')
      for (const secret of secrets) {
        const plain = `\\x${Buffer.from(secret.length === 64 ? secret : secret, secret.length === 64 ? 'hex' : 'utf8').toString('hex')}`
        const rows = await db.execute(
          sql.raw(`select 1 from "${table}" where "${column}" = '${plain}'::bytea`),
        )
        if (rows.length > 0) found.push(`${table}.${column}`)
      }
  }
  expect(looked).toBeGreaterThan(100)
  expect(found).toEqual([])
  // The search finds what is there: the hashes by which the secrets are known.
  const known = await db.execute(
    sql`select 1 from sign_in_mails where token_hash = ${hashSecret(live.token)}`,
  )
  expect(known).toHaveLength(1)
  // A code cannot be had from its hash by trying all of them without our key.
  const [row] = await db.execute(
    sql`select id, code_hash from sign_in_mails where token_hash = ${hashSecret(live.token)}`,
  )
  for (const guess of [live.code, `${row?.id}\n${live.code}`, `sign-in code\n${row?.id}\n${live.code}`])
    expect(Buffer.from(row?.code_hash as Uint8Array).equals(Buffer.from(hashSecret(guess)))).toBe(false)
})
