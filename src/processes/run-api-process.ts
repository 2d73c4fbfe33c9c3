import { config } from '../config/config'
import { flushLog, log, shareOutput } from '../core/log'
import { metricsText } from '../core/metrics'
import { releaseName } from '../db/migrate/release'
import { type LimitAnswer, type LimitCall, limiterElsewhere } from '../http/limits/counted-elsewhere'
import { OTHER_RELEASE, RESTART } from '../lifecycle/other-release'
import { startApi } from './start-api'

/** Messages to the parent process. */
export type FromApi = { ready: string } | { limits: LimitCall[] } | { metrics: string; to: number }

/** Messages from it. */
export type ToApi = { stop: { drain: boolean } } | { limits: LimitAnswer[] } | { reportMetrics: number }

const EXIT_MS = 10_000

/** One of several processes that share a port. It ends on request, and with its parent. */
export async function runApiProcess(): Promise<void> {
  const say = (message: FromApi) => void process.send?.(message)
  const { limiter, receive } = limiterElsewhere((calls) => say({ limits: calls }))
  let stop = async (_options: { drain: boolean }): Promise<void> => process.exit(0)
  process.on('message', (message: ToApi) => {
    if ('limits' in message) receive(message.limits)
    else if ('reportMetrics' in message) say({ metrics: metricsText(), to: message.reportMetrics })
    else void stop(message.stop)
  })
  process.on('disconnect', () => process.exit(1))
  if (!process.connected) process.exit(1)
  // A terminal signals all processes; the parent alone decides the order of the shutdown.
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

/** Between installing a release and the restart, a restarted child runs the new code on the old schema. */
function requireSameRelease(): void {
  if (config.releaseOfParent === releaseName()) return
  // A parent without a release predates this check and does not know our exit code.
  if (config.releaseOfParent === undefined) log.error(RESTART)
  process.exit(OTHER_RELEASE)
}
