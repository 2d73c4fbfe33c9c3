import { join } from 'node:path'
import { databaseMetrics } from '../areas'
import { config, environmentOfApi } from '../config/config'
import { ConfigError } from '../config/error'
import { errorSparingly, log, shareOutput } from '../core/log'
import { metricsText } from '../core/metrics'
import { releaseName } from '../db/migrate/release'
import { countFor } from '../http/limits/counted-elsewhere'
import { useLimiter } from '../http/limits/hourly'
import { memoryLimiter } from '../http/limits/memory'
import { joinedTexts, type ProcessText } from '../http/metrics/joined'
import { serveMetrics } from '../http/metrics/port'
import { closeQueues } from '../jobs/figures'
import { type Ended, lastingChild } from '../lifecycle/lasting-child'
import { OTHER_RELEASE, RESTART } from '../lifecycle/other-release'
import type { FromApi, ToApi } from './run-api-process'
import type { Running } from './start-api'
import { openWorkerConnections } from './worker-connections'

const ENTRY = join(import.meta.dir, '../api-process.ts')
/** Slightly less than this process has for itself. */
const STOP_MS = 9000
const METRICS_MS = 1000

/**
 * Starts processes that share the port. The parent serves no requests: it counts limits for all without Redis, restarts ended
 * processes, and holds the connections of a worker.
 */
export async function startProcesses(databaseUrl: string, signal: AbortSignal): Promise<Running> {
  const connections = openWorkerConnections(databaseUrl)
  shareOutput()
  const memory = memoryLimiter()
  useLimiter(memory)

  const environment = environmentOfApi(databaseUrl, releaseName())
  const children = Array.from({ length: config.processes }, (_, index) =>
    apiChild(String(index + 1), environment, memory),
  )
  const stop = (drain: boolean) =>
    Promise.all(children.map((child) => child.stop({ stop: { drain } }, STOP_MS)))
  // Processes that are ready serve already: an order to stop reaches them without waiting for the others.
  const aborted = new Promise<string[]>((resolve) => signal.addEventListener('abort', () => resolve([])))
  const ready = Promise.all(children.map((child) => child.ready))
  const [url = ''] = await Promise.race([ready, aborted]).catch(async (error) => {
    await stop(false)
    throw error
  })
  const texts = async () => {
    const reports = await Promise.all(children.map((child) => child.metrics()))
    return joinedTexts([{ process: 'parent', text: metricsText() }, ...reports.flat()])
  }
  const metrics = serveMetrics(config.worker === 'embedded' ? 'worker' : 'parent', databaseMetrics, texts)

  return {
    url,
    async stop({ drain } = { drain: true }) {
      await stop(drain)
      metrics?.stop()
    },
    async disconnect() {
      await closeQueues()
      await connections.close()
    },
  }
}

type Environment = Record<string, string | undefined>

/** An operator restarts a process with SIGTERM. A shutdown that timed out has its own exit code. */
const wasOrdered = ({ code, signal }: Ended) => code === 0 || signal === 'SIGTERM'

/** One of the processes, across restarts. */
function apiChild(name: string, environment: Environment, memory: ReturnType<typeof memoryLimiter>) {
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>()
  const asked = new Map<number, (text: string) => void>()
  let counting = countFor(memory)
  let questions = 0

  const child = lastingChild<ToApi, FromApi>({
    entry: ENTRY,
    environment,
    begun() {
      counting = countFor(memory)
      return (message) => {
        if ('limits' in message) child.send({ limits: counting.answer(message.limits) })
        else if ('metrics' in message) asked.get(message.to)?.(message.metrics)
        else resolve(message.ready)
      }
    },
    ended(how) {
      counting.gone()
      // The child has logged the reason.
      reject(new ConfigError('The server did not start, because one of its processes could not.'))
      if (how.code === OTHER_RELEASE) return errorSparingly(RESTART, { process: name })
      log[wasOrdered(how) ? 'info' : 'error']('a process has ended and is started again', {
        process: name,
        ...how,
      })
    },
  })

  return {
    ready,
    stop: child.stop,
    /** Its metrics; none if it is busy or starting. */
    async metrics(): Promise<ProcessText[]> {
      questions += 1
      const question = questions
      const reply = new Promise<string>((resolve) => asked.set(question, resolve))
      child.send({ reportMetrics: question })
      const text = await Promise.race([reply, Bun.sleep(METRICS_MS)])
      asked.delete(question)
      return text === undefined ? [] : [{ process: name, text }]
    },
  }
}
