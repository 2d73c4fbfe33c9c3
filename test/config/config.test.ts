import { describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readConfig, variableNames } from '@/config/config'
import { databaseAddresses, wantsWrites } from '@/config/database-address'
import { redisAddress } from '@/config/redis-address'
import { requireNoSlips } from '@/config/slips'
import { explained } from '../support/explained'

const good = { DATABASE_URL: 'postgres://a@b/c', SECRET_KEY: 'Zk3vT9qLw7Yc2RbN8dXh5PfGm4JsUa6E' }

const newFolder = () => join(mkdtempSync(join(tmpdir(), 'folkmoot-config-')), 'data')

function keep(folder: string, name: string, content: string) {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), content)
}

/** A process that reads its configuration and says its secret. */
const start = (DATA_DIR: string, prefix: string[] = []) =>
  Bun.spawn(
    [
      ...prefix,
      process.execPath,
      '-e',
      `const { config } = await import('${import.meta.dir}/../../src/config/config.ts'); process.stdout.write(config.secretKey)`,
    ],
    { env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR }, stdout: 'pipe', stderr: 'ignore' },
  )

describe('configuration', () => {
  test('answers each mistake with one sentence that names the variable', () => {
    const mistakes: [Record<string, string>, RegExp][] = [
      [{ PORT: '70000' }, /^PORT must be a whole number from 0 to 65535\.$/],
      [{ PORT: 'x' }, /^PORT must be/],
      [{ SITE_NAME: 'x'.repeat(81) }, /^SITE_NAME must be one line of at most 80 characters\.$/],
      [{ SITE_TAGLINE: 'one\ntwo' }, /^SITE_TAGLINE must be one line of at most 200/],
      [{ HOST: '0.0.0.0' }, /^BASE_URL is required/],
      [{ BASE_URL: 'folkmoot.example' }, /^BASE_URL must be an origin/],
      [{ BASE_URL: 'https://folkmoot.example/path' }, /^BASE_URL must be an origin/],
      [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL must be an address/],
      [
        { DATABASE_URL: 'postgres://a@b/c?sslmode=prefer' },
        /^sslmode in DATABASE_URL must be one of disable,/,
      ],
      [
        { DATABASE_URL: 'postgres://a@b/c?ssl=true' },
        /^DATABASE_URL cannot have ssl: of TLS it takes sslmode/,
      ],
      [
        { DATABASE_URL: 'postgres://a@b/c?sslmode=verify-full&sslrootcert=/nowhere.pem' },
        /^sslrootcert in DATABASE_URL names \/nowhere\.pem, which cannot be read \(ENOENT\)/,
      ],
      [
        { DATABASE_URL: 'postgres://a@b:1,c:99999/d' },
        /^DATABASE_URL must be an address: its host or its port/,
      ],
      [
        { DATABASE_URL: 'postgres://a@b,c/d?target_session_attrs=any' },
        /^target_session_attrs in DATABASE_URL must be read-write, or be left out\.$/,
      ],
      [
        { DATABASE_DIRECT_URL: 'b:5432' },
        /^DATABASE_DIRECT_URL must be an address that begins with postgres/,
      ],
      [{ DATABASE_DIRECT_URL: 'postgres://b/c?ssl=1' }, /^DATABASE_DIRECT_URL cannot have ssl/],
      [
        { DATABASE_URL: '', DATABASE_DIRECT_URL: 'postgres://b/c' },
        /^DATABASE_DIRECT_URL goes with a DATABASE_URL/,
      ],
      [
        { DATABASE_URL: '', DATABASE_REPLICA_URL: 'postgres://b/c' },
        /^DATABASE_REPLICA_URL goes with DATABASE_URL/,
      ],
      [
        { DATABASE_REPLICA_URL: 'postgres://b/c?target_session_attrs=read-write' },
        /^DATABASE_REPLICA_URL cannot have target_session_attrs/,
      ],
      [{ DATABASE_REPLICA_MAX_LAG: '0' }, /^DATABASE_REPLICA_MAX_LAG must be a whole number from 1/],
      [{ REDIS_URL: 'http://x' }, /^REDIS_URL must be an address that begins with redis:/],
      [{ REDIS_URL: 'redis://x:99999' }, /^REDIS_URL must be an address: its host or its port/],
      [
        { REDIS_URL: 'redis+sentinel://a,b' },
        /^REDIS_URL of sentinels must be such as .*the name of the master/,
      ],
      [{ REDIS_URL: 'redis+sentinel:///mymaster' }, /^REDIS_URL of sentinels must be such as/],
      [{ REDIS_URL: 'redis+sentinel://a:x,b/mymaster' }, /^REDIS_URL must have sentinels as a comma list/],
      [{ REDIS_URL: 'redis+sentinel://a:70000/mymaster' }, /^REDIS_URL must have sentinels as a comma list/],
      [
        { REDIS_URL: 'redis+sentinel://a/m?nonsense=1' },
        /^REDIS_URL of sentinels takes db, sentinelUsername,/,
      ],
      [{ REDIS_URL: 'redis+sentinel://a/m?db=one' }, /^REDIS_URL must have db as a whole number\.$/],
      [{ REDIS_URL: 'redis+sentinel://u:p%ZZ@a/m' }, /^REDIS_URL has a percent sign/],
      [
        { SMTP_URL: 'mail.example' },
        /^SMTP_URL must be an address that begins with smtp:\/\/ or smtps:\/\/$/,
      ],
      [{ SMTP_URL: 'smtp://' }, /^SMTP_URL must /],
      [{ SMTP_URL: 'smtp://mail.example:99999' }, /^SMTP_URL must be an address: its host or its port/],
      [{ SMTP_URL: 'smtp://mail.example/path' }, /^SMTP_URL must have no path\.$/],
      [{ SMTP_URL: 'smtp://me@mail.example' }, /^SMTP_URL must have both a user and a password/],
      [{ SMTP_URL: 'smtp://me:p%ZZ@mail.example' }, /^SMTP_URL has a percent sign/],
      [{ SMTP_URL: 'smtp://mail.example?nonsense=1' }, /^SMTP_URL has an option that mail knows nothing of/],
      [
        { SMTP_URL: 'smtp://mail.example?requireTLS=maybe' },
        /^SMTP_URL must have requireTLS as true or false/,
      ],
      ...['nobody', 'a@b.example,c@d.example', 'a@b.example\nBcc: evil@y.example', 'Name <nobody>'].map(
        (MAIL_FROM): [Record<string, string>, RegExp] => [{ MAIL_FROM }, /^MAIL_FROM must be one /],
      ),
      [{ ADMIN_EMAILS: 'robin' }, /^ADMIN_EMAILS must be a comma list of mail addresses\.$/],
      [{ TRUSTED_PROXIES: '10.0.0.0/33' }, /^TRUSTED_PROXIES must be/],
      [{ TRUSTED_PROXIES: '203.0.113.7/' }, /^TRUSTED_PROXIES must be/],
      [{ TRUSTED_PROXIES: 'everyone' }, /^TRUSTED_PROXIES must be/],
      [{ ALLOWED_ORIGINS: 'https://a.example, nonsense' }, /^ALLOWED_ORIGINS must be/],
      [{ WEBHOOK_ALLOW_HOSTS: 'http://x' }, /^WEBHOOK_ALLOW_HOSTS must be/],
      [{ HUB_URL: 'none' }, /^HUB_URL must be an address/],
      [{ HUB_URL: 'https://me:secret@hub.example/' }, /^HUB_URL must have no user, password or fragment/],
      [{ HUB_URL: 'https://hub.example/#top' }, /^HUB_URL must have no user, password or fragment/],
      [{ PROCESSES: 'many' }, /^PROCESSES must be auto, or a whole number from 1 to 64\.$/],
      [{ PROCESSES: '0' }, /^PROCESSES must be auto/],
      [{ PROCESSES: '2', PORT: '0' }, /^PORT must be a number from 1 up when there are several PROCESSES/],
      [{ WORKER: 'maybe' }, /^WORKER must be one of embedded, none\.$/],
      [{ GITHUB_CLIENT_ID: 'x' }, /^GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET go together/],
      [{ OIDC_ISSUER: 'https://x' }, /^OIDC_ISSUER, OIDC_CLIENT_ID/],
      [{ RATE_LIMIT_USER_PER_HOUR: '0' }, /^RATE_LIMIT_USER_PER_HOUR must be/],
    ]
    for (const [change, sentence] of mistakes)
      expect(() => readConfig({ ...good, ...change }, 'production')).toThrow(sentence)
  })

  test('detects misspelled settings, but not names of other programs', async () => {
    const names = variableNames()
    const slip = (environment: Record<string, string>) => () => requireNoSlips(environment, names)
    for (const [name, meant] of [
      ['SMPT_URL', 'SMTP_URL'],
      ['SMTP_URLS', 'SMTP_URL'],
      ['METRIC_PORT', 'METRICS_PORT'],
      ['BASE_URI', 'BASE_URL'],
      ['MAILFROM', 'MAIL_FROM'],
      ['SERCET_KEY', 'SECRET_KEY'],
      ['QUOTA_GROUP', 'QUOTA_GROUPS'],
    ] as const)
      expect(slip({ [name]: 'x' })).toThrow(`${name} is no setting: did you mean ${meant}? `)
    const others = [
      ...[
        'PATH',
        'HOME',
        'HOSTNAME',
        'HOST',
        'PORTS',
        'WORKERS',
        'WORKER',
        'LANG',
        'LOGNAME',
        'SHELL',
        'TMPDIR',
      ],
      ...[
        'DATABASE',
        'DATABASE_HOST',
        'DATABASE_NAME',
        'DATABASE_PORT',
        'DATABASE_USER',
        'DATABASE_PASSWORD',
      ],
      ...[
        'REDIS_HOST',
        'REDIS_PORT',
        'SMTP_HOST',
        'SMTP_PORT',
        'SITE_URL',
        'XDG_DATA_DIRS',
        'DATABASE_URL_OLD',
      ],
      ...['POSTGRES_PASSWORD', 'PGDATABASE', 'NODE_ENV', 'LOG_FORMAT', 'REDIS_URL2', 'smpt_url', ...names],
    ]
    expect(slip(Object.fromEntries(others.map((name) => [name, 'x'])))).not.toThrow()
    expect(slip({ EMAIL_FROM: 'x', MAIL_FROM: '' })).not.toThrow()
    expect(slip({ SMPT_URL: '' })).not.toThrow()

    const { code, sentence } = await explained('src/server.ts', {
      SMPT_URL: 'smtp://mail.example',
      HOST: '0.0.0.0',
    })
    expect([code, sentence]).toEqual([
      1,
      expect.stringMatching(/^SMPT_URL is no setting: did you mean SMTP_URL\?/),
    ])
  })

  test('splits several database hosts, each verified by its own name', () => {
    const two =
      'postgres://ada:p%40ss@a.example:5433,b.example/db?sslmode=verify-full&target_session_attrs=read-write'
    expect(databaseAddresses(two)).toEqual([
      {
        address: 'postgres://ada:p%40ss@a.example:5433/db',
        ssl: { rejectUnauthorized: true, host: 'a.example', servername: 'a.example' },
      },
      {
        address: 'postgres://ada:p%40ss@b.example/db',
        ssl: { rejectUnauthorized: true, host: 'b.example', servername: 'b.example' },
      },
    ])
    expect([two, 'postgres://a@b,c/d', 'postgres://a@b/c'].map(wantsWrites)).toEqual([true, true, false])
  })

  test('accepts Redis by address or sentinels, and Valkey', () => {
    expect(redisAddress('valkeys://u:p@host:1/2')).toEqual({ url: 'rediss://u:p@host:1/2' })
    expect(redisAddress('valkey://host')).toEqual({ url: 'redis://host' })
    expect(
      redisAddress('rediss+sentinel://me:p%40ss@a:1,[::1]:2,c/mymaster?db=3&sentinelPassword=s'),
    ).toEqual({
      sentinels: [
        { host: 'a', port: 1 },
        { host: '::1', port: 2 },
        { host: 'c', port: 26_379 },
      ],
      name: 'mymaster',
      username: 'me',
      password: 'p@ss',
      sentinelPassword: 's',
      db: 3,
      tls: {},
      enableTLSForSentinelMode: true,
      reconnectOnError: expect.any(Function),
    })
  })

  test('asks the sentinels again only when a master refuses writes', () => {
    const address = redisAddress('redis+sentinel://a/mymaster')
    const asksAgain = (message: string) =>
      'reconnectOnError' in address && address.reconnectOnError(new Error(message))
    expect(asksAgain("READONLY You can't write against a read only replica.")).toBe(true)
    expect(asksAgain('OOM command not allowed when used memory > maxmemory.')).toBe(false)
  })

  test('announces our own hub, another, or none', () => {
    const hubOf = (HUB_URL?: string) => readConfig({ ...good, HUB_URL }, 'production').hub
    expect(hubOf()).toEqual({ url: `http://127.0.0.1:3000/websub`, isOwn: true })
    expect(hubOf('https://hub.example/')).toEqual({ url: 'https://hub.example/', isOwn: false })
    for (const off of ['off', 'OFF']) expect(hubOf(off)).toEqual({ url: null, isOwn: false })
  })

  test('refuses weak or missing secrets in production, not in the demo', () => {
    for (const SECRET_KEY of ['short', 'a'.repeat(64), 'folkmoot-secret-key-of-ours-0123456789', ''])
      expect(() => readConfig({ ...good, SECRET_KEY }, 'production')).toThrow(/^SECRET_KEY is/)
    expect(readConfig({ ...good, SECRET_KEY: '' }, 'demo').secretKey).not.toBe('')
    expect(readConfig(good, 'production').secretKey).toBe(good.SECRET_KEY)
  })

  test('creates a private secret once for the embedded database', () => {
    const DATA_DIR = newFolder()
    const [first, second] = [readConfig({ DATA_DIR }, 'production'), readConfig({ DATA_DIR }, 'production')]
    expect(first.secretKey).toMatch(/^[0-9a-f]{64}$/)
    expect(second.secretKey).toBe(first.secretKey)
    expect(statSync(join(DATA_DIR, 'secret-key')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(DATA_DIR, 'secret-key'), 'utf8').trim()).toBe(first.secretKey)
  })

  test('refuses a stored secret that is empty, short or weak, at every start', () => {
    for (const content of [
      '',
      '\n',
      'short',
      '0'.repeat(64),
      '\0'.repeat(64),
      'folkmoot-secret-0123456789-abcdefgh',
    ])
      for (const mode of ['production', 'demo'] as const) {
        const DATA_DIR = newFolder()
        keep(DATA_DIR, 'secret-key', content)
        const start = () => readConfig({ DATA_DIR }, mode)
        expect(start).toThrow(
          /^The key in .*secret-key is (empty|too weak): remove the file, and the next start/,
        )
        keep(DATA_DIR, 'postgres/PG_VERSION', '18')
        expect(start).toThrow(
          /^The key in .* is (empty|too weak): bring it back from a backup; without one, put/,
        )
        expect(readFileSync(join(DATA_DIR, 'secret-key'), 'utf8')).toBe(content)
      }
  })

  test('creates no new secret for an existing database', () => {
    const DATA_DIR = newFolder()
    keep(DATA_DIR, 'postgres/PG_VERSION', '18')
    expect(() => readConfig({ DATA_DIR }, 'production')).toThrow(
      /^The key .*secret-key of the database beside it is missing: bring it back from a backup/,
    )
    expect(readdirSync(DATA_DIR)).toEqual(['postgres'])
    expect(readConfig({ DATA_DIR, SECRET_KEY: good.SECRET_KEY }, 'production').secretKey).toBe(
      good.SECRET_KEY,
    )
  })

  test('refuses a secret that differs from that of the embedded database', () => {
    const [DATA_DIR, SECRET_KEY] = [newFolder(), good.SECRET_KEY]
    const { secretKey } = readConfig({ DATA_DIR }, 'production')
    const start = (more: Record<string, string>) => () => readConfig({ DATA_DIR, ...more }, 'production')
    expect(start({ SECRET_KEY })).toThrow(/^SECRET_KEY is not the key in .*secret-key, .* remove that file/)
    keep(DATA_DIR, 'postgres/PG_VERSION', '18')
    expect(start({ SECRET_KEY })).toThrow(
      /^SECRET_KEY is not the key in .*secret-key, which was made for the database beside it: take SECRET_KEY out/,
    )
    expect(start({ SECRET_KEY: secretKey })().secretKey).toBe(secretKey)
    expect(start({ SECRET_KEY, DATABASE_URL: good.DATABASE_URL })().secretKey).toBe(SECRET_KEY)
  })

  test('gives concurrent starts one secret', async () => {
    const DATA_DIR = newFolder()
    const started = Array.from({ length: 6 }, () => start(DATA_DIR))
    const keys = await Promise.all(started.map(({ stdout }) => new Response(stdout).text()))
    expect([...new Set(keys)]).toEqual([readFileSync(join(DATA_DIR, 'secret-key'), 'utf8').trim()])
    expect(readdirSync(DATA_DIR)).toEqual(['secret-key'])
  })

  test('leaves no secret behind if it cannot write', async () => {
    const DATA_DIR = newFolder()
    // The kernel ends whoever writes more than nothing, as a power cut would between the file and its content.
    expect(await start(DATA_DIR, ['sh', '-c', 'ulimit -f 0; exec "$@"', 'sh']).exited).not.toBe(0)
    expect(readdirSync(DATA_DIR)).not.toContain('secret-key')
    expect(readConfig({ DATA_DIR }, 'production').secretKey).toMatch(/^[0-9a-f]{64}$/)
  })

  test('has the defaults of the contract', () => {
    const { rateLimits, host, port, worker, groupCreation, baseUrl, authUrl } = readConfig(good, 'production')
    expect(rateLimits).toEqual({
      userPerHour: 1000,
      anonymousPerHour: 60,
      tapPerSecond: 3,
      venueTapPerSecond: 100,
      registerPerHour: 10,
      websubPerHour: 300,
      signInPerMinute: 10,
    })
    expect({ host, port, worker, groupCreation }).toEqual({
      host: '127.0.0.1',
      port: 3000,
      worker: 'embedded',
      groupCreation: 'open',
    })
    expect([baseUrl, authUrl]).toEqual(['http://127.0.0.1:3000', 'http://127.0.0.1:3000'])
  })
})
