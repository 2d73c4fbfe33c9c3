import { startWorkers } from '../../workers/all'
import { databaseMetrics } from '../areas'
import { config } from '../config/config'
import { ConfigError } from '../config/error'
import { flushLog, log } from '../core/log'
import { bringUpToDate } from '../db/migrate/up-to-date'
import { serveMetrics } from '../http/metrics/port'
import type { Order, OrderToStop } from '../lifecycle/order-to-stop'
import { TIMEOUT_MS } from '../modules/developers/webhooks/deliveries/attempt'
import { openWorkerConnections } from './worker-connections'

/** Longer than the longest delivery, to record its result and close the queues. */
const EXIT_MS = TIMEOUT_MS + 10_000

/** The worker as its own process, beside any number of API processes. */
export async function runWorker(order: OrderToStop): Promise<void> {
  if (config.databaseUrl === null)
    throw new ConfigError(
      'A separate worker needs DATABASE_URL; with the embedded database the server runs the worker itself.',
    )
  let stop = async () => {}
  void order.given.then((how) => leave(how, () => stop())).catch(() => process.exit(1))
  await bringUpToDate(config.databaseUrl, config.use)
  if (!order.signal.aborted) stop = open(config.databaseUrl)
}

function open(databaseUrl: string): () => Promise<void> {
  const connections = openWorkerConnections(databaseUrl)
  const workers = startWorkers({ redisUrl: config.redisUrl, databaseUrl })
  const metrics = showMetrics()
  log.info('worker ready')
  return async () => {
    await workers.stop()
    metrics?.stop()
    await connections.close()
  }
}

/** Work matters more than metrics: a worker whose port is taken, for example by a server on the same machine, runs without. */
function showMetrics() {
  try {
    return serveMetrics('worker', databaseMetrics)
  } catch (error) {
    log.warn(`metrics: ${(error as Error).message}`)
    return undefined
  }
}

async function leave(order: Order, stop: () => Promise<void>): Promise<void> {
  setTimeout(() => process.exit(1), EXIT_MS).unref()
  log.info('worker stopping', { order })
  await stop()
  flushLog()
  process.exit(0)
}
