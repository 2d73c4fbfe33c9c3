import { app } from '../app'
import { databaseMetrics } from '../areas'
import { flushLastUsed } from '../auth/last-used'
import { config } from '../config/config'
import { closeDatabase, connectDatabase, openFirstConnection } from '../db/client'
import { setServer } from '../http/address'
import { useLimiter } from '../http/limits/hourly'
import type { Limiter } from '../http/limits/limiter'
import { serveMetrics } from '../http/metrics/port'
import { watchProcess } from '../http/metrics/process'
import { beginDraining, ignoreNewConnections } from '../http/quiesce'
import { refuseUnopened } from '../http/unopened-file'
import { closeQueues } from '../jobs/figures'
import { mayBeginStorage } from '../modules/people/uploads/present'
import { useMayBegin } from '../outbound/storage/current'
import { openNotifyChannel } from '../outbox/notify-channel'
import { openReplicas } from '../outbox/replicas'

/**
 * The runtime answers larger requests with a bare status. Every body has its own lower limit before it is read, and the unread
 * rest stays in the socket, so the sender of a large photo gets a proper error.
 */
const REQUEST_BYTES_MAX = 128 * 1024 * 1024
const STATEMENT_MS = 2200
const DRAIN_MS = 1000
const LAST_ACCEPT_MS = 50
const STOP_MS = 5000

export type Running = {
  url: string
  /** Finishes running requests and accepts no more. */
  stop(options?: { drain: boolean }): Promise<void>
  /** Closes the connections to the database and Redis. */
  disconnect(): Promise<void>
}

/** Shared by processes on one port: the parent counts limits and serves metrics. */
type Shared = { limiter: Limiter }

/** Connects and listens. The caller has migrated the database. */
export async function startApi(databaseUrl: string, shared?: Shared): Promise<Running> {
  connectDatabase(databaseUrl, {
    max: config.databasePool,
    statementTimeoutMs: STATEMENT_MS,
    name: 'folkmoot-api',
  })
  useMayBegin(mayBeginStorage)
  const notifyChannel = openNotifyChannel(databaseUrl)
  const { url: replicaUrl, maxLagSeconds } = config.replicas
  const replicas =
    replicaUrl === null
      ? undefined
      : openReplicas(replicaUrl, {
          maxLagSeconds,
          pool: config.databasePool,
          statementTimeoutMs: STATEMENT_MS,
        })
  const limiter =
    config.redisUrl === null
      ? undefined
      : (await import('../http/limits/redis')).redisLimiter(config.redisUrl)
  const counting = limiter ?? shared?.limiter
  if (counting) useLimiter(counting)
  // Without a database the process still listens, and reports that it is not ready.
  await openFirstConnection().catch(() => {})

  app.listen({
    hostname: config.host,
    port: config.port,
    development: false,
    reusePort: shared !== undefined,
    maxRequestBodySize: REQUEST_BYTES_MAX,
    idleTimeout: 30,
    error: refuseUnopened,
  })
  const server = app.server
  if (!server) throw new Error('The server did not start')
  setServer(server)
  if (shared) watchProcess('api')
  const metrics = shared
    ? undefined
    : serveMetrics(config.worker === 'embedded' ? 'all' : 'api', databaseMetrics)

  return {
    url: `http://${server.hostname}:${server.port}`,
    async stop({ drain } = { drain: true }) {
      beginDraining()
      if (drain) {
        await Bun.sleep(DRAIN_MS)
        ignoreNewConnections(server.port as number)
        await Bun.sleep(LAST_ACCEPT_MS)
      }
      await Promise.race([server.stop(), Bun.sleep(STOP_MS)])
      await server.stop(true)
      metrics?.stop()
    },
    async disconnect() {
      await flushLastUsed()
      limiter?.close()
      await closeQueues()
      await replicas?.close()
      await notifyChannel.close()
      await closeDatabase()
    },
  }
}
