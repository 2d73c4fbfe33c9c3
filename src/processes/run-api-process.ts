import { config } from '../config/config'
import { flushLog, log, shareOutput } from '../core/log'
import { metricsText } from '../core/metrics'
import { releaseName } from '../db/migrate/release'
import { type LimitAnswer, type LimitCall, limiterElsewhere } from '../http/limits/counted-elsewhere'
import { OTHER_RELEASE, RESTART } from '../lifecycle/other-release'
import { startApi } from './start-api'

/** What an API process says to the one that started it. */
export type FromApi = { ready: string } | { limits: LimitCall[] } | { metrics: string; to: number }

/** What it is told. */
export type ToApi = { stop: { drain: boolean } } | { limits: LimitAnswer[] } | { tellMetrics: number }

const EXIT_MS = 10_000

/** One of several processes that share a port. It ends when it is told to, and with the process that started it. */
export async function runApiProcess(): Promise<void> {
  const say = (message: FromApi) => void process.send?.(message)
  const { limiter, hear } = limiterElsewhere((calls) => say({ limits: calls }))
  let stop = async (_options: { drain: boolean }): Promise<void> => process.exit(0)
  process.on('message', (message: ToApi) => {
    if ('limits' in message) hear(message.limits)
    else if ('tellMetrics' in message) say({ metrics: metricsText(), to: message.tellMetrics })
    else void stop(message.stop)
  })
  process.on('disconnect', () => process.exit(1))
  if (!process.connected) process.exit(1)
  // A terminal tells all processes; ours is told by the one that started it, which knows the order of things.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  process.on('SIGTERM', () => void stop({ drain: config.mode === 'production' }))

  shareOutput()
  requireSameRelease()
  const api = await startApi(config.databaseUrl as string, { limiter })
  let isStopping = false
  stop = async (options) => {
    if (isStopping) return
    isStopping = true
    setTimeout(() => process.exit(1), EXIT_MS).unref()
    await api.stop(options)
    await api.disconnect()
    flushLog()
    process.exit(0)
  }
  log.debug('a process is ready')
  say({ ready: api.url })
}

/** Between the files of a new release and the restart, whoever begins anew is of the new one, on a database of the old. */
function requireSameRelease(): void {
  if (config.releaseOfParent === releaseName()) return
  // One that names no release is older than this rule, and does not know what our code means.
  if (config.releaseOfParent === undefined) log.error(RESTART)
  process.exit(OTHER_RELEASE)
}
