import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, chownSync, copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@/db/embedded-postgres/start'
import { explained } from '../support/explained'
import { startServer, until } from '../support/processes'
import { seedToken } from '../support/seed'

const source = join(import.meta.dir, '../support/tls')
const certificate = join(source, 'server.pem')

/** PostgreSQL wants a key for itself alone; as root it runs as another user, who cannot look everywhere. */
function tlsSettings(folder: string) {
  const [key, pem] = [join(folder, 'server.key'), join(folder, 'server.pem')]
  copyFileSync(join(source, 'server.key'), key)
  copyFileSync(certificate, pem)
  chmodSync(key, 0o600)
  if (process.getuid?.() === 0) {
    chownSync(key, 65534, 65534)
    chmodSync(folder, 0o711)
    // The folder of this run, in which every test works, is closed to others as well.
    if (process.env.TEST_FOLDER && folder.startsWith(process.env.TEST_FOLDER))
      chmodSync(process.env.TEST_FOLDER, 0o711)
  }
  return { ssl: 'on', ssl_cert_file: pem, ssl_key_file: key }
}

describe('a database behind TLS', () => {
  let database: EmbeddedPostgres
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'folkmoot-tls-'))
    const settings = { fsync: 'off', ...tlsSettings(folder) }
    database = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), settings })
  })
  afterAll(() => database.stop())

  for (const query of [
    'sslmode=require',
    `sslmode=verify-ca&sslrootcert=${certificate}`,
    `sslmode=verify-full&sslrootcert=${certificate}`,
  ])
    test(`${query.split('&')[0]}: every connection is encrypted`, async () => {
      const server = await startServer({ DATABASE_URL: `${database.url}?${query}`, WORKER: 'embedded' })
      const token = await seedToken(database.url)
      const answer = await fetch(`${server.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
      expect(answer.status).toBe(200)
      const sql = postgres(database.url, { max: 1 })
      const names = () => sql<{ name: string; ssl: boolean }[]>`
        select distinct application_name as name, ssl from pg_stat_activity join pg_stat_ssl using (pid)
        where application_name like 'folkmoot-%' order by name`
      await until('all of them are there', async () => (await names()).length >= 3)
      expect(await names()).toEqual([
        { name: 'folkmoot-api', ssl: true },
        { name: 'folkmoot-jobs', ssl: true },
        { name: 'folkmoot-notify-channel', ssl: true },
      ] as never)
      await sql.end()
      await server.stop()
    })

  test('an untrusted certificate ends with a readable message', async () => {
    const { code, sentence } = await explained('src/server.ts', {
      DATABASE_URL: `${database.url}?sslmode=verify-full`,
    })
    expect([code, sentence]).toEqual([
      1,
      expect.stringMatching(
        /^The certificate of the database is not trusted \(\w+\): give sslrootcert in DATABASE_URL/,
      ),
    ])
  })
})
