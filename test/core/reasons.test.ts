import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import { sql } from 'drizzle-orm'
import Redis from 'ioredis'
import pg from 'pg'
import { rateLimited } from '@/core/errors'
import { reasonOf } from '@/core/reason'
import { db } from '@/db/client'
import { freePort } from '../support/redis'

const root = join(import.meta.dir, '../..')

const thrownBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('the logged reason of a failure', () => {
  test('is the database code with its meaning, without user input', async () => {
    const typed = 'private words'
    for (const [statement, code, reason] of [
      [sql`select ${typed}::text::uuid`, '22P02', 'a value cannot be stored'],
      [sql`select 1 from nowhere where ${typed}::text = ''`, '42P01', 'the schema is not the one'],
      [
        sql`do $$ begin raise exception 'private words' using errcode = '53100'; end $$`,
        '53100',
        'the disk is full',
      ],
      [
        sql`do $$ begin raise exception 'private words' using errcode = '57P01'; end $$`,
        '57P01',
        'was ended',
      ],
    ] as const) {
      const found = reasonOf(await thrownBy(db.execute(statement)))
      expect(found.code).toBe(code)
      expect(found.reason).toContain(reason)
      expect(JSON.stringify(found)).not.toContain(typed)
    }
  })

  test('names the constraint, not the value', async () => {
    const twice = sql`insert into heartbeats (worker, at) values ('private words', now()), ('private words', now())`
    const found = reasonOf(await thrownBy(db.execute(twice)))
    expect(found).toMatchObject({ code: '23505', constraint: 'heartbeats_pkey' })
    expect(JSON.stringify(found)).not.toContain('private words')
  })

  test('says that nothing listens, for PostgreSQL and for Redis', async () => {
    const port = await freePort()
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'x', database: 'x' })
    expect(reasonOf(await thrownBy(client.connect()))).toMatchObject({
      code: 'ECONNREFUSED',
      reason: 'nothing listens at that address',
    })
    const redis = new Redis({ port, lazyConnect: true, retryStrategy: () => null, maxRetriesPerRequest: 0 })
    redis.on('error', () => {})
    const found = reasonOf(await thrownBy(redis.ping()))
    expect(['Redis does not answer', 'nothing listens at that address']).toContain(found.reason as string)
    redis.disconnect()
  })

  test('contains the message only if the engine or our own code wrote it', () => {
    const typed = 'private words'
    const asLibrary = Object.assign(new Error(typed), { name: 'LibraryError' })
    expect(JSON.stringify(reasonOf(asLibrary))).not.toContain(typed)
    expect(reasonOf(asLibrary).at).toContain('reasons.test.ts')
    const wrapped = new Error(`Failed query: ${typed}`, {
      cause: Object.assign(new Error(typed), { code: '40P01' }),
    })
    expect(JSON.stringify(reasonOf(wrapped))).not.toContain(typed)
    expect(reasonOf(wrapped).code).toBe('40P01')
    expect(reasonOf(new Error('Reading takes too long')).reason).toBe('Reading takes too long')
    expect(reasonOf(new TypeError('x is not a function')).reason).toBe('x is not a function')
    expect(reasonOf('text')).toEqual({ fault: 'string' })
  })

  test('contains at least a location in our code, even if a library threw asynchronously', () => {
    const library = new Error('private words')
    for (const stack of [
      undefined,
      'Error: private words',
      'Error: private words at work:1\n    at read (/srv/node_modules/some/index.js:1:2)\n    at run (native:7:39)\n    at emit (node:events:95:22)',
    ]) {
      library.stack = stack as string
      const found = reasonOf(library)
      expect(found).toEqual({ fault: 'Error', at: expect.stringContaining('reasons.test.ts') })
      expect(JSON.stringify(found)).not.toContain('private words')
    }
  })

  test('does not take user input for a stack frame', () => {
    const typed = 'Failed query\nparams: private words\n    at private words (src/private.ts:1:2)'
    const library = new Error(typed)
    library.stack = `Error: ${typed}\n    at read (/srv/node_modules/some/index.js:1:2)`
    expect(JSON.stringify(reasonOf(library))).not.toContain('private')
    expect(reasonOf(library).at).toContain('reasons.test.ts')
  })

  test('is part of every log line about an error', () => {
    const files = [...new Glob('{src,workers}/**/*.ts').scanSync(root)]
    const silent = files.flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return [...text.matchAll(/\.name\b[^\n]*\)|catch\(\(\) =>\s*(log|warnSparingly)\b[^\n]*/g)]
        .map((match) => match[0])
        .filter((found) => /log\.|warnSparingly|fault:/.test(found))
        .map((found) => `${file}: ${found}`)
    })
    expect(silent).toEqual([])
  })
})

test('one second is written in the singular', () => {
  expect([1, 2].map((seconds) => rateLimited(seconds).message)).toEqual([
    'Too many requests: try again in 1 second',
    'Too many requests: try again in 2 seconds',
  ])
})
