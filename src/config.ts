import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'

/** A mistake of the operator's, in one sentence that says what to change. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

export type Mode = 'demo' | 'production' | 'test'

export type Config = ReturnType<typeof readConfig>

/** `bun run up` and the tests say what they are; everything else is production. */
const modeOf = (value: string | undefined): Mode =>
  value === 'demo' || value === 'test' ? value : 'production'

/** The only reader of the environment. Everything is checked here, once, before anything starts. */
export function readConfig(environment: Record<string, string | undefined>, mode: Mode) {
  const read = reader(environment)
  const host = read.text('HOST', '127.0.0.1')
  const port = read.whole('PORT', 3000, 0, 65_535)
  const dataDir = resolve(read.text('DATA_DIR', 'data'))
  const databaseUrl = read.address('DATABASE_URL', ['postgres:', 'postgresql:'])
  const baseUrl = read.origin('BASE_URL') ?? loopbackUrl(host, port)
  const development = mode !== 'production'

  return {
    mode,
    host,
    port,
    metricsPort: read.optionalWhole('METRICS_PORT', 1, 65_535),
    baseUrl,
    legacyBaseUrl: read.origin('LEGACY_BASE_URL'),
    authUrl: read.origin('AUTH_URL') ?? baseUrl,
    /** Unknown `Host` headers are refused in production. */
    checkHost: mode === 'production',
    https: baseUrl.startsWith('https:'),
    dataDir,
    /** Null means the embedded PostgreSQL in `dataDir`. */
    databaseUrl,
    redisUrl: read.address('REDIS_URL', ['redis:', 'rediss:']),
    storageUrl: read.address('STORAGE_URL', ['s3:', 'file:']),
    smtpUrl: read.address('SMTP_URL', ['smtp:', 'smtps:']),
    mailFrom: read.text('MAIL_FROM', ''),
    adminEmails: read.list('ADMIN_EMAILS').map((address) => address.toLowerCase()),
    trustedProxies: read.list('TRUSTED_PROXIES').map((cidr) => checkCidr('TRUSTED_PROXIES', cidr)),
    allowedOrigins: read.list('ALLOWED_ORIGINS').map((value) => checkOrigin('ALLOWED_ORIGINS', value)),
    webhookAllowHosts: read
      .list('WEBHOOK_ALLOW_HOSTS')
      .map((value) => checkHostName('WEBHOOK_ALLOW_HOSTS', value)),
    secretKey: secretKey(
      environment.SECRET_KEY,
      dataDir,
      databaseUrl === null && mode !== 'test',
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
      registerPerHour: read.whole('RATE_LIMIT_REGISTER_PER_HOUR', 10, 1, 1_000_000),
      signInPerMinute: read.whole('RATE_LIMIT_SIGN_IN_PER_MINUTE', 10, 1, 1_000_000),
    },
    databasePool: read.whole('DATABASE_POOL', 10, 1, 200),
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

function reader(environment: Record<string, string | undefined>) {
  const raw = (name: string) => environment[name]?.trim() || undefined
  const whole = (name: string, value: string, min: number, max: number) => {
    const number = Number(value)
    if (!Number.isInteger(number) || number < min || number > max)
      throw new ConfigError(`${name} must be a whole number from ${min} to ${max}.`)
    return number
  }
  return {
    text: (name: string, fallback: string) => raw(name) ?? fallback,
    list: (name: string) =>
      (raw(name) ?? '')
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    whole: (name: string, fallback: number, min: number, max: number) => {
      const value = raw(name)
      return value === undefined ? fallback : whole(name, value, min, max)
    },
    optionalWhole: (name: string, min: number, max: number) => {
      const value = raw(name)
      return value === undefined ? null : whole(name, value, min, max)
    },
    choice: <const T extends string>(name: string, choices: readonly T[], fallback: NoInfer<T>): T => {
      const value = raw(name)
      if (value === undefined) return fallback
      const found = choices.find((choice) => choice === value)
      if (found === undefined) throw new ConfigError(`${name} must be one of ${choices.join(', ')}.`)
      return found
    },
    address: (name: string, schemes: string[]) => {
      const value = raw(name)
      if (value === undefined) return null
      const url = URL.parse(value)
      if (!url || !schemes.includes(url.protocol))
        throw new ConfigError(
          `${name} must be an address that begins with ${schemes.map((s) => `${s}//`).join(' or ')}`,
        )
      return value
    },
    origin: (name: string) => {
      const value = raw(name)
      return value === undefined ? null : checkOrigin(name, value)
    },
    pair: (idName: string, secretName: string) => {
      const [clientId, clientSecret] = [raw(idName), raw(secretName)]
      if (!clientId && !clientSecret) return null
      if (!clientId || !clientSecret)
        throw new ConfigError(`${idName} and ${secretName} go together: set both or neither.`)
      return { clientId, clientSecret }
    },
  }
}

function oidcProvider(read: ReturnType<typeof reader>) {
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

function checkOrigin(name: string, value: string): string {
  const url = URL.parse(value)
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    url.username
  )
    throw new ConfigError(`${name} must be an origin such as https://folkmoot.example, without a path.`)
  return url.origin
}

function checkCidr(name: string, value: string): string {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(value) ?? []
  const version = isIP(address)
  if (version === 0 || Number(bits ?? 0) > (version === 4 ? 32 : 128))
    throw new ConfigError(`${name} must be a comma list of addresses or ranges such as 10.0.0.0/8.`)
  return value
}

function checkHostName(name: string, value: string): string {
  if (!/^(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i.test(value))
    throw new ConfigError(`${name} must be a comma list of host or host:port.`)
  return value.toLowerCase()
}

const printableHost = (host: string) => (isIP(host) === 6 ? `[${host}]` : host)

/** Only this machine can call a loopback address by that name; for everyone else we need to be told ours. */
function loopbackUrl(host: string, port: number): string {
  if (!/^(127\.\d+\.\d+\.\d+|localhost|::1)$/.test(host))
    throw new ConfigError(
      'BASE_URL is required when HOST is not a loopback address: set it to the address that people use.',
    )
  return `http://${printableHost(host)}:${port}`
}

const WEAK = /^(.)\1*$|secret|password|changeme|change-me|example|default|folkmoot|12345/i

function secretKey(
  given: string | undefined,
  dataDir: string,
  embedded: boolean,
  development: boolean,
): string {
  if (given) {
    if (!development && (given.length < 32 || new Set(given).size < 10 || WEAK.test(given)))
      throw new ConfigError(
        'SECRET_KEY is too weak: use at least 32 random characters, such as from "openssl rand -hex 32".',
      )
    return given
  }
  if (embedded) return keptSecret(dataDir)
  if (development) return 'development-only-key-that-production-refuses'
  throw new ConfigError(
    'SECRET_KEY is required with DATABASE_URL: set it to at least 32 random characters, such as from "openssl rand -hex 32".',
  )
}

/** With the embedded database the key lives beside the data that it protects. */
function keptSecret(dataDir: string): string {
  const file = join(dataDir, 'secret-key')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw unusable(dataDir, error)
  }
  try {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
    chmodSync(file, 0o600)
  } catch (error) {
    // Another process may have made it in between; then its key is the key.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(dataDir, error)
  }
  return readFileSync(file, 'utf8').trim()
}

export const unusable = (dataDir: string, error: unknown) =>
  new ConfigError(
    `The data folder ${dataDir} cannot be used (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}): make it writable or set DATA_DIR to another folder.`,
  )

const mode = modeOf(process.env.FOLKMOOT_MODE)

export const config = {
  ...readConfig(process.env, mode),
  /** Where a test wants the process to die. */
  failpoint: mode === 'test' ? process.env.FOLKMOOT_FAILPOINT : undefined,
}
