import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { database } from './database'
import { useDirectUrl } from './database-address'
import { ConfigError } from './error'
import { mail } from './mail'
import { processes } from './processes'
import { type Reader, reader } from './reader'
import { redisAddress } from './redis-address'
import { secretKey } from './secret-key'
import { site } from './site'
import { requireNoSlips } from './slips'
import { storageAddress } from './storage-address'

export type Mode = 'demo' | 'production' | 'test'

export type Config = ReturnType<typeof readConfig>

/** Only `bun run up` and the tests set it; everything else is production. */
const modeOf = (value: string | undefined): Mode =>
  value === 'demo' || value === 'test' ? value : 'production'

const OPEN_HOSTS: Record<Mode, string[]> = {
  demo: ['127.0.0.1', 'localhost', '[::1]'],
  production: [],
  test: ['127.0.0.1'],
}

/** The only reader of the environment. Validates everything once, before anything starts. */
export function readConfig(environment: Record<string, string | undefined>, mode: Mode) {
  const read = reader(environment)
  const host = read.text('HOST', '127.0.0.1')
  const port = read.whole('PORT', 3000, 0, 65_535)
  const dataDir = resolve(read.text('DATA_DIR', 'data'))
  const postgres = database(read)
  const baseUrl = read.origin('BASE_URL') ?? loopbackUrl(host, port)
  const development = mode !== 'production'

  return {
    mode,
    /** The use that a database must be marked with; test databases may have any. */
    use: mode === 'test' ? undefined : mode,
    host,
    port,
    /** Several processes share the port. */
    processes: processes(read, port),
    metricsPort: read.optionalWhole('METRICS_PORT', 1, 65_535),
    metricsHost: read.text('METRICS_HOST', '127.0.0.1'),
    baseUrl,
    legacyBaseUrl: read.origin('LEGACY_BASE_URL'),
    /** The community's name on pages, in feeds and widgets. */
    siteName: read.line('SITE_NAME', mode === 'demo' ? 'Riverbend' : 'Folkmoot', 80),
    site: site(read),
    authUrl: read.origin('AUTH_URL') ?? baseUrl,
    /** Unknown `Host` headers are refused in production. */
    checkHost: mode === 'production',
    https: baseUrl.startsWith('https:'),
    dataDir,
    ...postgres,
    redisUrl: redisUrl(read),
    storage: storage(read, dataDir),
    ...mail(read),
    trustedProxies: read.ranges('TRUSTED_PROXIES'),
    /** Addresses of venues, where a hall full of people taps passes. */
    venues: read.ranges('VENUE_ADDRESSES'),
    allowedOrigins: read.origins('ALLOWED_ORIGINS'),
    webhookAllowHosts: read.hosts('WEBHOOK_ALLOW_HOSTS'),
    webhookAllowLinkLocal: read.choice('WEBHOOK_ALLOW_LINK_LOCAL', ['no', 'yes'], 'no') === 'yes',
    hub: hub(read, baseUrl),
    /** Local hosts that everyone's webhooks may call: in the demo and the tests they are the developer's own. */
    webhookOpenHosts: OPEN_HOSTS[mode],
    secretKey: secretKey(
      environment.SECRET_KEY,
      dataDir,
      postgres.databaseUrl === null && mode !== 'test',
      development,
    ),
    worker: read.choice('WORKER', ['embedded', 'none'], 'embedded'),
    groupCreation: read.choice('GROUP_CREATION', ['open', 'entitled', 'admin'], 'open'),
    logLevel: read.choice(
      'LOG_LEVEL',
      ['debug', 'info', 'warn', 'error', 'silent'],
      mode === 'demo' ? 'warn' : 'info',
    ),
    providers: {
      github: read.pair('GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'),
      google: read.pair('GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'),
      discord: read.pair('DISCORD_CLIENT_ID', 'DISCORD_CLIENT_SECRET'),
      oidc: oidcProvider(read),
    },
    rateLimits: {
      userPerHour: read.whole('RATE_LIMIT_USER_PER_HOUR', 1000, 1, 1_000_000_000),
      anonymousPerHour: read.whole('RATE_LIMIT_ANONYMOUS_PER_HOUR', 60, 1, 1_000_000_000),
      tapPerSecond: read.whole('RATE_LIMIT_TAP_PER_SECOND', 3, 1, 1_000_000),
      venueTapPerSecond: read.whole('RATE_LIMIT_VENUE_TAP_PER_SECOND', 100, 1, 1_000_000),
      registerPerHour: read.whole('RATE_LIMIT_REGISTER_PER_HOUR', 10, 1, 1_000_000),
      websubPerHour: read.whole('RATE_LIMIT_WEBSUB_PER_HOUR', 300, 1, 1_000_000),
      signInPerMinute: read.whole('RATE_LIMIT_SIGN_IN_PER_MINUTE', 10, 1, 1_000_000),
    },
    quotas: {
      groups: read.whole('QUOTA_GROUPS', 50, 1, 1_000_000),
      events: read.whole('QUOTA_EVENTS', 1000, 1, 1_000_000),
      portfolioItems: read.whole('QUOTA_PORTFOLIO_ITEMS', 100, 1, 1_000_000),
      tokens: read.whole('QUOTA_TOKENS', 100, 1, 1_000_000),
      apps: read.whole('QUOTA_APPS', 50, 1, 1_000_000),
      webhooks: read.whole('QUOTA_WEBHOOKS', 20, 1, 1_000_000),
      checkinCodes: read.whole('QUOTA_CHECKIN_CODES', 200, 1, 1_000_000),
      guests: read.whole('QUOTA_GUESTS', 5000, 1, 1_000_000),
      claimLinks: read.whole('QUOTA_CLAIM_LINKS', 200, 1, 1_000_000),
      passes: read.whole('QUOTA_PASSES', 20, 2, 1_000_000),
      passSheets: read.whole('QUOTA_PASS_SHEETS', 30, 1, 1_000_000),
      jobs: read.whole('QUOTA_JOBS', 50, 1, 1_000_000),
      subscriptions: read.whole('QUOTA_SUBSCRIPTIONS', 10_000, 1, 1_000_000),
      subscriptionsPerHost: read.whole('QUOTA_SUBSCRIPTIONS_PER_HOST', 1000, 1, 1_000_000),
      filteredSubscriptionsPerHost: read.whole('QUOTA_FILTERED_SUBSCRIPTIONS_PER_HOST', 100, 1, 1_000_000),
      uploadedFiles: read.whole('QUOTA_UPLOADED_FILES', 500, 1, 1_000_000),
      uploadedBytes: read.whole('QUOTA_UPLOADED_BYTES', 1024 ** 3, 1, Number.MAX_SAFE_INTEGER),
    },
    workerPool: read.whole('WORKER_POOL', 4, 1, 100),
  }
}

/** Every variable that is read, for `.env.example` and its test. */
export function variableNames(): string[] {
  const seen = new Set<string>(['SECRET_KEY', 'BASE_URL'])
  const recorder = new Proxy({} as Record<string, string | undefined>, {
    get: (_, name) => {
      if (typeof name === 'string') seen.add(name)
      return undefined
    },
  })
  readConfig(recorder, 'test')
  return [...seen].sort()
}

/** The WebSub hub in feeds: our own, another one that we notify of changes, or none. */
function hub(read: Reader, baseUrl: string): { url: string | null; isOwn: boolean } {
  if (read.text('HUB_URL', '').toLowerCase() === 'off') return { url: null, isOwn: false }
  const url = read.address('HUB_URL', ['https:', 'http:'])
  const { username, password, hash } = new URL(url ?? baseUrl)
  if (username || password || hash)
    throw new ConfigError(
      'HUB_URL must have no user, password or fragment in it: every feed shows it to everyone.',
    )
  return { url: url ?? `${baseUrl}/websub`, isOwn: url === null }
}

function redisUrl(read: Reader): string | null {
  const value = read.text('REDIS_URL', '')
  if (value) redisAddress(value)
  return value || null
}

function oidcProvider(read: Reader) {
  const issuer = read.address('OIDC_ISSUER', ['https:', 'http:'])
  const credentials = read.pair('OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET')
  const name = read.text('OIDC_NAME', 'Single sign-on')
  if (!issuer && !credentials) return null
  if (!issuer || !credentials)
    throw new ConfigError(
      'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together: set all three or none.',
    )
  return { issuer, name, ...credentials }
}

function storage(read: Reader, dataDir: string) {
  const value = read.text('STORAGE_URL', '')
  const keys = storageKeys(read, 'STORAGE_ACCESS_KEY', 'STORAGE_SECRET_KEY')
  const own = join(dataDir, 'uploads')
  return {
    address: value ? storageAddress('STORAGE_URL', value, keys) : { kind: 'disk' as const, folder: own },
    /** Keys of the target storage of a move. */
    moveKeys: storageKeys(read, 'STORAGE_MOVE_ACCESS_KEY', 'STORAGE_MOVE_SECRET_KEY') ?? keys,
    /** For files that are being written. */
    scratchFolder: join(own, 'scratch'),
    keepFree: read.whole('STORAGE_KEEP_FREE', 512 * 1024 * 1024, 0, Number.MAX_SAFE_INTEGER),
  }
}

function storageKeys(read: Reader, accessName: string, secretName: string) {
  const found = read.pair(accessName, secretName)
  return found && { accessKey: found.clientId, secretKey: found.clientSecret }
}

const printableHost = (host: string) => (isIP(host) === 6 ? `[${host}]` : host)

/** A loopback address serves this machine only; otherwise BASE_URL must name our public address. */
function loopbackUrl(host: string, port: number): string {
  if (!/^(127\.\d+\.\d+\.\d+|localhost|::1)$/.test(host))
    throw new ConfigError(
      'BASE_URL is required when HOST is not a loopback address: set it to the address that people use.',
    )
  return `http://${printableHost(host)}:${port}`
}

const mode = modeOf(process.env.FOLKMOOT_MODE)

requireNoSlips(process.env, variableNames())

export const config = {
  ...readConfig(process.env, mode),
  /** Where a test makes the process crash. */
  failpoint: mode === 'test' ? process.env.FOLKMOOT_FAILPOINT : undefined,
  /** In a child process: the release of its parent. */
  releaseOfParent: process.env.FOLKMOOT_RELEASE,
}

useDirectUrl(config.databaseUrl, config.databaseDirectUrl)

/** The environment of a child API process, on the database that its parent has opened. */
export const environmentOfApi = (databaseUrl: string, release: string) => ({
  ...process.env,
  FOLKMOOT_RELEASE: release,
  // The key is beside the embedded database; with DATABASE_URL a process would not look for it there.
  DATABASE_URL: databaseUrl,
  SECRET_KEY: config.secretKey,
  WORKER: 'none',
})
