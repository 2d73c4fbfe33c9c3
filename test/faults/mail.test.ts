import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { randomHex } from '@/core/codes'
import { type MailServer, readLetter, reply, startMailServer } from '../support/mail-server'
import { ownDatabase, type ServerProcess, startServer, startWorker, until } from '../support/processes'
import { openReceiver } from '../support/receiver'
import { type Seeded, seedPeople } from '../support/seed'

const LONG_MS = 30_000

let databaseUrl: string
let environment: Record<string, string>
let sql: postgres.Sql
let server: ServerProcess
let smtp: MailServer
let webhookId: string
let owner: Seeded
let workers: ReturnType<typeof startWorker>[] = []

beforeAll(async () => {
  databaseUrl = await ownDatabase()
  sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
  smtp = await startMailServer()
  environment = {
    DATABASE_URL: databaseUrl,
    FOLKMOOT_MODE: 'test',
    LOG_LEVEL: 'warn',
    BASE_URL: 'http://folk.example',
    SMTP_URL: smtp.url,
  }
  server = await startServer(environment)
  ;[owner] = (await seedPeople(databaseUrl, 1, ['user', 'developer'])) as [Seeded]
  const receiver = openReceiver()
  const made = await fetch(`${server.url}/v1/developer/webhooks`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${owner.token}`,
      'content-type': 'application/json',
      host: 'folk.example',
    },
    body: JSON.stringify({ url: receiver.url, eventTypes: ['token.created'] }),
  })
  webhookId = ((await made.json()) as { data: { id: string } }).data.id
  receiver.close()
  await sql`update webhooks set is_active = false`
})
afterAll(async () => {
  await server.stop('SIGKILL')
  await smtp.stop()
  await sql.end()
})

const begin = (more: Record<string, string> = {}) => {
  const worker = startWorker({ ...environment, ...more })
  workers.push(worker)
  return worker
}
afterEach(async () => {
  for (const worker of workers) await worker.stop('SIGKILL')
  workers = []
  smtp.rules = {}
  smtp.letters.length = 0
  await sql`delete from mails`
  await sql`delete from refusing_mailboxes`
})

const newAddress = () => `to-${randomHex(6)}@there.example`

const submit = (path: string, fields: Record<string, string>) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { host: 'folk.example' },
    body: new URLSearchParams(fields),
  })

/** Somebody wants to sign in and waits for a mail. */
async function ask(email = newAddress()) {
  expect((await submit('/auth/email', { email })).status).toBe(200)
  return email
}

/** Letters that nobody waits for, to the owner of a webhook that was switched off. */
const news = (count = 1, email = newAddress()) =>
  sql.begin(async (tx) => {
    await tx`update users set email = ${email} where id = ${owner.id}`
    await tx`insert into mails (id, user_id, letter, fact, data, urgency, created_at, due_at, expires_at)
      select gen_random_uuid(), ${owner.id}, 'webhook-disabled', gen_random_uuid(),
        ${tx.json({ webhookId })}, 2, now(), now(), now() + interval '2 days' from generate_series(1, ${count})`
    return email
  })

/** As if every wait and every lease were over. */
const hurry = () => sql`update mails set due_at = now() where finished_at is null`

const outcomes = async () =>
  (await sql<{ outcome: string | null }[]>`select outcome from mails order by created_at, id`).map(
    ({ outcome }) => outcome,
  )
const settled = (count = 1) =>
  until(
    'all is settled',
    async () => (await outcomes()).filter((outcome) => outcome !== null).length === count,
    LONG_MS,
  )
/** All has been tried and nothing is in anybody's hands. */
const failed = (worker: { output(): string }, times = 1) =>
  until('it failed', () => worker.output().split('mail: will be tried again').length > times, LONG_MS)

const isRemembered = async () => (await sql`select 1 from refusing_mailboxes`).length > 0

const once = (moment: () => unknown) => {
  let count = 0
  return () => {
    count += 1
    return count === 1 ? moment() : undefined
  }
}
const refuse = (code: number, text: string) => () => {
  throw reply(code, text)
}

describe('a mail that is not taken', () => {
  for (const [when, rules] of [
    ['greylisted', { recipient: once(refuse(450, '4.2.0 come again')) }],
    ['from a sender that the server does not like yet', { sender: once(refuse(550, '5.7.1 not you')) }],
    ['put off after it was read', { taken: once(refuse(451, '4.3.0 no room')) }],
  ] as const)
    test(`${when}, comes once, later`, async () => {
      smtp.rules = rules
      const worker = begin()
      const email = await ask()
      await failed(worker)
      await hurry()
      await settled()
      expect(smtp.to(email)).toHaveLength(1)
      expect(await outcomes()).toEqual(['sent'])
      expect(await isRemembered()).toBe(false)
      expect(worker.output()).not.toContain(email)
    })

  for (const [when, rules, remembered] of [
    ['its mailbox does not exist', { recipient: refuse(550, '5.1.1 <you> unknown') }, true],
    ['a server without words for it says so', { recipient: refuse(550, 'unknown') }, true],
    ['the mailbox is full', { recipient: refuse(552, '5.2.2 full') }, false],
    ['it is us who are not liked', { recipient: refuse(554, '5.7.1 blocked') }, false],
    ['what it says is not liked', { taken: refuse(554, '5.6.0 spam') }, false],
  ] as const)
    test(`is failed when ${when}; the mailbox is ${remembered ? '' : 'not '}recorded`, async () => {
      smtp.rules = rules
      const worker = begin()
      const email = await news()
      await settled()
      expect(await outcomes()).toEqual(['refused'])
      expect(await isRemembered()).toBe(remembered)
      await until('the log says so', () => worker.output().includes('mail: refused for good'))
      expect(worker.output()).not.toContain(email)
      smtp.rules = {}
      await news(1, email)
      await settled(2)
      expect(smtp.to(email)).toHaveLength(remembered ? 0 : 1)
    })

  test('to a refusing mailbox is tried only if awaited, and a sign-in by it clears the record', async () => {
    smtp.rules.recipient = refuse(550, '5.1.1 unknown')
    begin()
    const email = await ask()
    await settled()
    expect(await isRemembered()).toBe(true)
    smtp.rules = {}
    await ask(email)
    await settled(2)
    const [letter] = smtp.to(email)
    const code = /^(\d{6})$/m.exec(letter ? readLetter(letter) : '')?.[1] as string
    expect((await submit('/auth/email/verify', { email: email.toUpperCase(), code })).status).toBe(303)
    expect(await isRemembered()).toBe(false)
    await sql`update users set email = null where email = ${email}`
    await news(1, email)
    await settled(3)
    expect(smtp.to(email)).toHaveLength(2)
  })
})

describe('a connection that ends', () => {
  for (const moment of ['recipient', 'beforeDot'] as const)
    test(`before the mail was whole (${moment}): it comes once`, async () => {
      let cuts = 0
      smtp.rules[moment] = ({ cut }) => {
        cuts += 1
        return cuts === 1 ? cut() : undefined
      }
      const worker = begin()
      const email = await ask()
      await failed(worker)
      await hurry()
      await settled()
      expect(smtp.to(email)).toHaveLength(1)
    })

  test('after the mail was taken, without a word: it comes again with the same id, and then never more', async () => {
    let cuts = 0
    smtp.rules.afterDot = ({ cut }) => {
      cuts += 1
      return cuts === 1 ? cut() : undefined
    }
    const worker = begin()
    const email = await ask()
    await failed(worker)
    expect(smtp.to(email)).toHaveLength(1)
    await hurry()
    await settled()
    expect(smtp.to(email)).toHaveLength(2)
    expect(new Set(smtp.to(email).map(({ id }) => id)).size).toBe(1)
  })
})

describe('a server', () => {
  test('that thinks for longer than a lease would last keeps its mail, and gets it once', async () => {
    const gate = Promise.withResolvers<void>()
    smtp.rules.taken = () => gate.promise
    begin()
    begin()
    const email = await ask()
    const lease = async () =>
      (await sql<{ due_at: Date }[]>`select due_at from mails where attempts > 0`)[0]?.due_at.getTime() ?? 0
    await until('it is being sent', async () => (await lease()) > 0)
    const first = await lease()
    await until('its lease is renewed', async () => (await lease()) > first, LONG_MS)
    gate.resolve()
    await settled()
    expect(smtp.to(email)).toHaveLength(1)
    expect(await sql`select attempts from mails`).toEqual([{ attempts: 1 }] as never)
  })

  test('that is away is knocked at, and no letter is taken for it meanwhile', async () => {
    const port = new URL(smtp.url).port
    await smtp.stop()
    const worker = begin()
    const emails = [await ask(), await ask()]
    const other = await news()
    await until('it is known', () => worker.output().split('the mail server is away').length > 2, LONG_MS)
    const late = await ask()
    smtp = await startMailServer({ port: Number(port) })
    await settled(4)
    expect(smtp.letters.map(({ to }) => to[0]).sort()).toEqual([...emails, other, late].sort())
    const [tried] =
      await sql`select attempts from mails where address is null and urgency = 0 order by id desc`
    expect(tried).toEqual({ attempts: 1 })
  })

  test('with an invalid login or an untrusted certificate gets nothing until that is fixed', async () => {
    let isKnown = false
    const strict = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, answer) =>
        isKnown && username === 'folk' && password === 'p@ss'
          ? answer(null, { user: username })
          : answer(new Error('who?')),
    })
    const worker = begin({ SMTP_URL: strict.url.replace('://', '://folk:p%40ss@') })
    const email = await ask()
    await failed(worker)
    expect(worker.output()).toContain('the mail server refuses the user or the password')
    expect(worker.output()).not.toContain('p@ss')
    isKnown = true
    await settled()
    expect(strict.to(email)).toHaveLength(1)
    await strict.stop()
  })

  test('with an untrusted certificate gets nothing, nor one without TLS that wants a password', async () => {
    const doubtful = await startMailServer({ disabledCommands: [] })
    const worker = begin({ SMTP_URL: doubtful.url })
    await ask()
    await failed(worker)
    expect(doubtful.letters).toEqual([])
    await worker.stop('SIGKILL')
    await doubtful.stop()

    const passwords: unknown[] = []
    const open = await startMailServer({
      allowInsecureAuth: true,
      onAuth({ password }, _session, answer) {
        passwords.push(password)
        answer(null, { user: 'folk' })
      },
    })
    // Not a name of this machine's own, so the way there may be anybody's.
    const another = begin({ SMTP_URL: open.url.replace('://127.0.0.1', '://folk:secret@0.0.0.0') })
    await hurry()
    await failed(another)
    expect(open.connections()).toBeGreaterThan(0)
    expect([passwords, open.letters]).toEqual([[], []])
    await open.stop()
  })
})

describe('a worker that is killed', () => {
  test('while it hands a mail over: another one sends it, once', async () => {
    const worker = begin()
    smtp.rules.recipient = () => process.kill(worker.pid, 'SIGKILL')
    const email = await ask()
    await worker.exited
    smtp.rules = {}
    begin()
    await hurry()
    await settled()
    expect(smtp.to(email)).toHaveLength(1)
  })

  test("between the server's acceptance and recording it: the mail is sent twice, with the same id", async () => {
    const worker = begin({ FOLKMOOT_FAILPOINT: 'after-mail' })
    const email = await ask()
    await worker.exited
    expect(smtp.to(email)).toHaveLength(1)
    begin()
    await hurry()
    await settled()
    expect(smtp.to(email)).toHaveLength(2)
    expect(new Set(smtp.to(email).map(({ id }) => id)).size).toBe(1)
  })
})

test('a thousand hanging letters do not delay awaited ones, and each is sent once', async () => {
  const gate = Promise.withResolvers<void>()
  const stuck = await news(1000)
  let held = 0
  smtp.rules.taken = ({ to }) => {
    if (to !== stuck) return undefined
    held += 1
    return gate.promise
  }
  begin()
  begin()
  begin()
  await until('as many as may be are under way', () => held === 12, LONG_MS)
  const email = await ask()
  await until('it is there', () => smtp.to(email).length === 1)
  expect(smtp.to(stuck)).toEqual([])
  gate.resolve()
  await settled(1001)
  expect(smtp.to(stuck)).toHaveLength(1000)
  expect(new Set(smtp.to(stuck).map(({ id }) => id)).size).toBe(1000)
  // They shared few connections.
  expect(smtp.connections()).toBeLessThan(200)
}, 120_000)
