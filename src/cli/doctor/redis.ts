import Redis from 'ioredis'
import { config } from '@/config/config'
import { redisAddress } from '@/config/redis-address'
import { type Finding, ok, warning, wrong } from './finding'

const PATIENCE_MS = 3000
/** Required by BullMQ. */
const VERSION_NEEDED = '6.2.0'
const OPTIONS = {
  lazyConnect: true,
  maxRetriesPerRequest: 0,
  connectTimeout: PATIENCE_MS,
  commandTimeout: PATIENCE_MS,
  retryStrategy: () => null,
  sentinelRetryStrategy: () => null,
}

export async function checkRedis(): Promise<Finding[]> {
  const { redisUrl } = config
  if (redisUrl === null)
    return [
      ok(
        'redis',
        'It is not used (REDIS_URL): queues are in PostgreSQL, and each server counts limits for itself.',
      ),
    ]
  const address = redisAddress(redisUrl)
  const redis = 'url' in address ? new Redis(address.url, OPTIONS) : new Redis({ ...address, ...OPTIONS })
  let lastError: unknown
  redis.on('error', (error) => {
    lastError = error
  })
  try {
    await redis.connect()
    return judge(await redis.info())
  } catch (error) {
    throw lastError ?? error
  } finally {
    redis.disconnect()
  }
}

function judge(info: string): Finding[] {
  const line = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1]
  const [valkey, policy] = [line('valkey_version'), line('maxmemory_policy')]
  const version = line('redis_version') ?? '0.0.0'
  const found = `${valkey === undefined ? `Redis ${version}` : `Valkey ${valkey}`} answers, maxmemory-policy ${policy ?? 'unknown'}.`
  if (Bun.semver.order(version, VERSION_NEEDED) < 0)
    return [wrong('redis', found, `Upgrade it to ${VERSION_NEEDED} or newer, or leave REDIS_URL out.`)]
  if (policy !== undefined && policy !== 'noeviction')
    return [
      wrong(
        'redis',
        found,
        'Set "maxmemory-policy noeviction" in its configuration: with another one it throws jobs away when it is full.',
      ),
    ]
  return [policy === undefined ? warning('redis', found, 'See that it is noeviction.') : ok('redis', found)]
}
