import { databaseAddresses } from './database-address'
import { ConfigError } from './error'
import type { Reader } from './reader'

export function database(read: Reader) {
  const databaseUrl = address(read, 'DATABASE_URL')
  const databaseDirectUrl = address(read, 'DATABASE_DIRECT_URL')
  if (databaseUrl === null && databaseDirectUrl !== null)
    throw new ConfigError(
      'DATABASE_DIRECT_URL goes with a DATABASE_URL that leads to a pooler: set both or neither.',
    )
  const replicaUrl = address(read, 'DATABASE_REPLICA_URL')
  if (databaseUrl === null && replicaUrl !== null)
    throw new ConfigError('DATABASE_REPLICA_URL goes with DATABASE_URL: set both or neither.')
  if (replicaUrl?.includes('target_session_attrs='))
    throw new ConfigError('DATABASE_REPLICA_URL cannot have target_session_attrs: replicas take no writes.')
  return {
    /** Null means the embedded PostgreSQL in `dataDir`. */
    databaseUrl,
    /** Bypasses a pooler, for work that needs its own session. */
    databaseDirectUrl,
    replicas: {
      url: replicaUrl,
      maxLagSeconds: read.whole('DATABASE_REPLICA_MAX_LAG', 5, 1, 3600),
    },
    databasePool: read.whole('DATABASE_POOL', 10, 1, 200),
  }
}

function address(read: Reader, name: string): string | null {
  const value = read.address(name, ['postgres:', 'postgresql:'], () => true)
  if (value !== null) databaseAddresses(value, name)
  return value
}
