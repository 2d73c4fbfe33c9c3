import { join } from 'node:path'
import { figures } from '../areas'
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
/** A little less than this process gives itself. */
const STOP_MS = 9000
const METRICS_MS = 1000

/**
 * Starts processes that share the port and answer requests. This one answers none: it counts limits for all of them where there is no
 * Redis, starts those that end again, and has the connections that a worker needs.
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
  // Those that are ready serve already: an order to stop is for them, too, and does not wait for the others.
  const told = new Promise<string[]>((resolve) => signal.addEventListener('abort', () => resolve([])))
  const ready = Promise.all(children.map((child) => child.ready))
  const [url = ''] = await Promise.race([ready, told]).catch(async (error) => {
    await stop(false)
    throw error
  })
  const texts = async () => {
    const told = await Promise.all(children.map((child) => child.metrics()))
    return joinedTexts([{ process: 'parent', text: metricsText() }, ...told.flat()])
  }
  const metrics = serveMetrics(config.worker === 'embedded' ? 'worker' : 'parent', figures, texts)

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

/** SIGTERM to one of them is how an operator has it begin anew. One that could not finish in time says so by its code. */
const wasToldTo = ({ code, signal }: Ended) => code === 0 || signal === 'SIGTERM'

/** One of the processes, whichever runs in its place. */
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
      // Why it could not begin, it has said itself.
      reject(new ConfigError('The server did not start, because one of its processes could not.'))
      if (how.code === OTHER_RELEASE) return errorSparingly(RESTART, { process: name })
      log[wasToldTo(how) ? 'info' : 'error']('a process has ended and is started again', {
        process: name,
        ...how,
      })
    },
  })

  return {
    ready,
    stop: child.stop,
    /** Its figures, or none from one that is busy or just starting. */
    async metrics(): Promise<ProcessText[]> {
      questions += 1
      const question = questions
      const told = new Promise<string>((resolve) => asked.set(question, resolve))
      child.send({ tellMetrics: question })
      const text = await Promise.race([told, Bun.sleep(METRICS_MS)])
      asked.delete(question)
      return text === undefined ? [] : [{ process: name, text }]
    },
  }
}
