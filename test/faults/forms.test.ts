import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { hashSecret } from '@/auth/secrets'
import { randomHex } from '@/core/codes'
import { startEmbeddedPostgres } from '@/db/embedded-postgres/start'
import { migrateDatabase } from '@/db/migrate/migrate'
import { freeze } from '../support/freeze'
import { startServer, until } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'

const BROWSER = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
}

async function seedSession(url: string) {
  const [{ id }] = (await seedPeople(url, 1)) as [Seeded]
  const sql = postgres(url, { max: 1 })
  const secret = randomHex(32)
  await sql`insert into sessions (id, user_id, hash, expires_at)
    values (${Bun.randomUUIDv7()}, ${id}, ${Buffer.from(hashSecret(secret))}, now() + interval '1 day')`
  await sql.end()
  return { cookie: `session=${secret}` }
}

/** The hidden fields of the form in a page that is sent again. */
const heldIn = (text: string) =>
  [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
    .map(([, name = '', value = '']) => [name, value.replaceAll('&lt;', '<').replaceAll('&gt;', '>')])
    .filter(([name]) => name !== 'back')

test('a form that is sent while Postgres is away is a page that holds what was typed and sends it again', async () => {
  const database = await startEmbeddedPostgres({ dataDir: mkdtempSync(join(tmpdir(), 'folkmoot-forms-')) })
  await migrateDatabase(database.url)
  // One is known to the server when the database goes away, the other is not.
  const [known, unknown] = [await seedSession(database.url), await seedSession(database.url)]
  const server = await startServer({ DATABASE_URL: database.url, DATABASE_POOL: '4' })
  const send = (path: string, headers: Record<string, string>, fields: string[][]) =>
    fetch(server.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...BROWSER, ...headers },
      body: new URLSearchParams(fields as [string, string][]).toString(),
    })
  const path = '/manage/groups/new'
  const opened = await (await fetch(server.url + path, { headers: known })).text()
  const csrf = /name="csrf" value="([^"]+)"/.exec(opened)?.[1] as string
  const urlname = `kept-${randomHex(4)}`
  const typed = [
    ['name', 'Night <b>walkers'],
    ['urlname', urlname],
    ['other', 'not-of-this-form'],
    ['csrf', csrf],
  ]

  const thaw = freeze(database.pid)
  const answer = await send(`${path}?do=create`, unknown, typed)
  const text = await answer.text()
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
  expect(answer.headers.get('content-type')).toStartWith('text/html')
  expect(answer.headers.get('refresh')).toBeNull()
  expect(text).toContain('Night &lt;b&gt;walkers</dd>')
  expect(text).toContain(`<form method="post" action="${path}?do=create">`)
  const held = heldIn(text)
  expect(held).toEqual([
    ['name', 'Night <b>walkers'],
    ['urlname', urlname],
    ['csrf', csrf],
  ])
  // Whoever is known is let in, and neither the action nor the page with the form can be had.
  const profile = await send('/settings/profile?do=save', known, [
    ['name', 'Ada of the night'],
    ['csrf', csrf],
  ])
  expect([profile.status, profile.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  expect(await profile.text()).toContain('value="Ada of the night"')
  // What another site sent is not said again.
  const foreign = { ...unknown, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  const refused = await send(`${path}?do=create`, foreign, typed)
  expect([refused.status, (await refused.text()).includes('walkers')]).toEqual([503, false])
  const program = await send(`${path}?do=create`, { ...unknown, accept: '*/*' }, typed)
  expect(await program.json()).toMatchObject({ code: 'unavailable' })
  const out = await send('/auth/logout', unknown, [])
  expect([out.status, out.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  expect(await out.text()).toContain('<form method="post" action="/auth/logout">')
  const german = await send('/language', unknown, [
    ['to', 'de'],
    ['back', '/events'],
  ])
  expect([german.status, german.headers.get('location')]).toEqual([303, '/events'])
  thaw()

  let done: Response | undefined
  await until('it is taken again', async () => {
    done = await send(`${path}?do=create`, known, held)
    return done.status !== 503
  })
  expect([done?.status, done?.headers.get('location')]).toEqual([303, expect.stringContaining('done=group')])
  await server.stop()
  await database.stop()
})
