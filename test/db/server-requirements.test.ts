import { describe, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import postgres from 'postgres'
import { type Facts, unsuitable } from '@/db/migrate/server-requirements'
import { explained } from '../support/explained'
import { freePort } from '../support/redis'
import { databaseNamed } from '../support/template'

const adminUrl = process.env.TEST_DATABASE_URL as string
const good: Facts = {
  version: 18,
  encoding: 'UTF8',
  isCopy: false,
  mayCreate: true,
  mayCreateTables: true,
  hasTrigrams: true,
}

async function asAdmin(...statements: string[]) {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} })
  for (const statement of statements) await sql.unsafe(statement)
  await sql.end()
}

const nameOf = () => `unfit_${Bun.randomUUIDv7().replaceAll('-', '')}`

describe('an unsuitable database', () => {
  test('is refused by version, encoding and rights', () => {
    expect(unsuitable(good)).toBeUndefined()
    expect(unsuitable({ ...good, version: 19 })).toBeUndefined()
    const sentences: [Partial<Facts>, RegExp][] = [
      [
        { version: 15 },
        /^Folkmoot needs PostgreSQL 18 or newer and the server of DATABASE_URL is 15: upgrade it/,
      ],
      [{ isCopy: true }, /is a standby that only reads/],
      [{ encoding: 'SQL_ASCII' }, /is encoded in SQL_ASCII: make one in UTF-8/],
      [{ mayCreate: false }, /may not create schemas in its database: make it the owner/],
      [{ mayCreateTables: false }, /may not create tables in the schema public: allow it/],
      [{ hasTrigrams: false }, /lacks the extension pg_trgm/],
    ]
    for (const [change, sentence] of sentences) expect(unsuitable({ ...good, ...change })).toMatch(sentence)
  })

  test('with another encoding ends every command with a sentence', async () => {
    const name = nameOf()
    await asAdmin(
      `create database ${name} encoding 'LATIN1' locale 'C' locale_provider libc template template0`,
    )
    for (const command of ['src/server.ts', 'workers/main.ts', 'scripts/migrate.ts'])
      expect(await explained(command, { DATABASE_URL: databaseNamed(adminUrl, name) })).toEqual({
        code: 1,
        sentence:
          "The database of DATABASE_URL is encoded in LATIN1: make one in UTF-8 (create database … encoding 'UTF8' template template0).",
      })
  })

  test('without sufficient rights ends with a sentence', async () => {
    const name = nameOf()
    await asAdmin(`create database ${name}`, `create role ${name} login password 'x'`)
    const url = new URL(databaseNamed(adminUrl, name))
    url.username = name
    url.password = 'x'
    const start = () => explained('src/server.ts', { DATABASE_URL: url.href })
    expect((await start()).sentence).toMatch(/^The user of DATABASE_URL may not create schemas/)
    await asAdmin(`grant create on database ${name} to ${name}`)
    expect((await start()).sentence).toMatch(
      /^The user of DATABASE_URL may not create tables in the schema public/,
    )
  })

  test('without the requested TLS ends with a sentence, and sslmode=disable is plain', async () => {
    const refused = await explained('scripts/migrate.ts', { DATABASE_URL: `${adminUrl}?sslmode=require` })
    expect(refused).toEqual({
      code: 1,
      sentence:
        'DATABASE_URL asks for TLS (sslmode) and its server does not offer it: turn it on there, or use sslmode=disable.',
    })
    const name = nameOf()
    await asAdmin(`create database ${name}`)
    const plain = `${databaseNamed(adminUrl, name)}?sslmode=disable`
    expect(await explained('scripts/migrate.ts', { DATABASE_URL: plain })).toEqual({ code: 0, sentence: '' })
  })
})

describe('an unavailable port', () => {
  test('is reported before the database is opened', async () => {
    const taken = createServer()
    const port = await freePort()
    await new Promise<void>((done) => taken.listen(port, '127.0.0.1', () => done()))
    const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/nothing'
    const BASE_URL = 'http://127.0.0.1'
    const start = async (environment: Record<string, string>) =>
      (await explained('src/server.ts', { DATABASE_URL, BASE_URL, ...environment })).sentence
    expect(await start({ PORT: String(port) })).toBe(
      `PORT ${port} is in use: stop the other program, or set PORT to another number.`,
    )
    expect(await start({ METRICS_PORT: String(port) })).toMatch(`METRICS_PORT ${port} is in use`)
    expect(await start({ HOST: '203.0.113.7' })).toBe(
      'HOST 203.0.113.7 is not an address of this machine (EADDRNOTAVAIL): set it to 127.0.0.1, or to 0.0.0.0 for all addresses.',
    )
    expect(await start({ HOST: 'nowhere.invalid' })).toMatch(
      /^HOST nowhere\.invalid is not an address of this machine/,
    )
    await new Promise((done) => taken.close(done))
  })
})
