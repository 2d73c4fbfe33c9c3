import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@/config'

const good = { DATABASE_URL: 'postgres://a@b/c', SECRET_KEY: 'Zk3vT9qLw7Yc2RbN8dXh5PfGm4JsUa6E' }

describe('configuration', () => {
  test('answers each mistake with one sentence that names the variable', () => {
    const mistakes: [Record<string, string>, RegExp][] = [
      [{ PORT: '70000' }, /^PORT must be a whole number from 0 to 65535\.$/],
      [{ PORT: 'x' }, /^PORT must be/],
      [{ HOST: '0.0.0.0' }, /^BASE_URL is required/],
      [{ BASE_URL: 'folkmoot.example' }, /^BASE_URL must be an origin/],
      [{ BASE_URL: 'https://folkmoot.example/path' }, /^BASE_URL must be an origin/],
      [{ DATABASE_URL: 'mysql://x' }, /^DATABASE_URL must be an address/],
      [{ REDIS_URL: 'http://x' }, /^REDIS_URL must be an address/],
      [{ TRUSTED_PROXIES: '10.0.0.0/33' }, /^TRUSTED_PROXIES must be/],
      [{ TRUSTED_PROXIES: '203.0.113.7/' }, /^TRUSTED_PROXIES must be/],
      [{ TRUSTED_PROXIES: 'everyone' }, /^TRUSTED_PROXIES must be/],
      [{ ALLOWED_ORIGINS: 'https://a.example, nonsense' }, /^ALLOWED_ORIGINS must be/],
      [{ WEBHOOK_ALLOW_HOSTS: 'http://x' }, /^WEBHOOK_ALLOW_HOSTS must be/],
      [{ WORKER: 'maybe' }, /^WORKER must be one of embedded, none\.$/],
      [{ GITHUB_CLIENT_ID: 'x' }, /^GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET go together/],
      [{ OIDC_ISSUER: 'https://x' }, /^OIDC_ISSUER, OIDC_CLIENT_ID/],
      [{ RATE_LIMIT_USER_PER_HOUR: '0' }, /^RATE_LIMIT_USER_PER_HOUR must be/],
    ]
    for (const [change, sentence] of mistakes)
      expect(() => readConfig({ ...good, ...change }, 'production')).toThrow(sentence)
  })

  test('refuses weak or missing secrets in production and takes them in a demo', () => {
    for (const SECRET_KEY of ['short', 'a'.repeat(64), 'folkmoot-secret-key-of-ours-0123456789', ''])
      expect(() => readConfig({ ...good, SECRET_KEY }, 'production')).toThrow(/^SECRET_KEY is/)
    expect(readConfig({ ...good, SECRET_KEY: '' }, 'demo').secretKey).not.toBe('')
    expect(readConfig(good, 'production').secretKey).toBe(good.SECRET_KEY)
  })

  test('with the embedded database makes a secret once and keeps it to itself', () => {
    const DATA_DIR = join(mkdtempSync(join(tmpdir(), 'folkmoot-config-')), 'data')
    const [first, second] = [readConfig({ DATA_DIR }, 'production'), readConfig({ DATA_DIR }, 'production')]
    expect(first.secretKey).toMatch(/^[0-9a-f]{64}$/)
    expect(second.secretKey).toBe(first.secretKey)
    expect(statSync(join(DATA_DIR, 'secret-key')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(DATA_DIR, 'secret-key'), 'utf8').trim()).toBe(first.secretKey)
  })

  test('has the defaults of the contract', () => {
    const { rateLimits, host, port, worker, groupCreation, baseUrl, authUrl } = readConfig(good, 'production')
    expect(rateLimits).toEqual({
      userPerHour: 1000,
      anonymousPerHour: 60,
      tapPerSecond: 3,
      registerPerHour: 10,
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
