import { ConfigError } from './error'

type Sentinels = {
  sentinels: { host: string; port: number }[]
  name: string
  db: number
  username?: string
  password?: string
  sentinelUsername?: string
  sentinelPassword?: string
  tls?: object
  enableTLSForSentinelMode?: boolean
  reconnectOnError: (error: Error) => boolean
}

const SENTINEL_PORT = 26_379
const PLAIN = /^(?:redis|valkey)(s?):\/\//
const OF_SENTINELS = /^redis(s?)\+sentinel:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^/?#]*))?(?:\?([^#]*))?$/
const OPTIONS = ['db', 'sentinelUsername', 'sentinelPassword']

/** The address of Redis, or of its sentinels, for ioredis and BullMQ. Valkey uses the same protocol. */
export function redisAddress(value: string): { url: string } | Sentinels {
  const plain = PLAIN.exec(value)
  if (plain) {
    const url = value.replace(PLAIN, 'redis$1://')
    if (!URL.canParse(url))
      throw new ConfigError('REDIS_URL must be an address: its host or its port (at most 65535) is none.')
    return { url }
  }
  if (!/^rediss?\+sentinel:\/\//.test(value))
    throw new ConfigError(
      'REDIS_URL must be an address that begins with redis://, rediss://, valkey://, valkeys://, redis+sentinel:// or rediss+sentinel://.',
    )
  const [, secure, account = '', hosts = '', name = '', query = ''] = OF_SENTINELS.exec(value) ?? []
  if (!hosts || !name)
    throw new ConfigError(
      'REDIS_URL of sentinels must be such as redis+sentinel://host1:26379,host2:26379/mymaster: their hosts, and the name of the master.',
    )
  return {
    sentinels: hosts.split(',').map(sentinel),
    name: decoded(name),
    ...options(new URLSearchParams(query)),
    ...credentials(account),
    ...(secure && { tls: {}, enableTLSForSentinelMode: true }),
    // A demoted master still accepts connections but no writes: the sentinels know the new one.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  }
}

function sentinel(place: string): { host: string; port: number } {
  const [, host, port = SENTINEL_PORT] = /^(\[[0-9a-f:]+\]|[^:[\]]+)(?::(\d+))?$/i.exec(place) ?? []
  if (!host || Number(port) < 1 || Number(port) > 65_535)
    throw new ConfigError('REDIS_URL must have sentinels as a comma list of host or host:port.')
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

function options(given: URLSearchParams) {
  const foreign = [...given.keys()].find((name) => !OPTIONS.includes(name))
  if (foreign !== undefined)
    throw new ConfigError(`REDIS_URL of sentinels takes ${OPTIONS.join(', ')} behind its question mark.`)
  const db = given.get('db') ?? '0'
  if (!/^\d{1,4}$/.test(db)) throw new ConfigError('REDIS_URL must have db as a whole number.')
  const [sentinelUsername, sentinelPassword] = [given.get('sentinelUsername'), given.get('sentinelPassword')]
  return {
    db: Number(db),
    ...(sentinelUsername && { sentinelUsername }),
    ...(sentinelPassword && { sentinelPassword }),
  }
}

function credentials(account: string) {
  const [username = '', password = ''] = account.split(/:(.*)/s).map(decoded)
  return { ...(username && { username }), ...(password && { password }) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new ConfigError('REDIS_URL has a percent sign that begins no code: write it as %25.')
  }
}
