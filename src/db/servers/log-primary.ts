import { errorSparingly, log } from '@/core/log'
import type { ProbeResult } from './primary'

let said: string | undefined

/** The host for writes, if a probe was needed. */
export const primaryHost = () => said

export function logPrimary({ host, others, old }: ProbeResult) {
  for (const { connections, ...stale } of old) {
    if (connections > 0)
      log.error(
        'database: left a host that has missed a promotion: stop it, and look there for what was written since',
        { ...stale, connections },
      )
    if (host === undefined)
      errorSparingly(
        'database: a host that has missed a promotion takes writes, and gets none: stop it, and start the one that was promoted last',
        stale,
      )
  }
  if (host === undefined) return
  if (host !== said) log.info('database: writes go to this host', { host })
  said = host
  if (others.length > 0)
    errorSparingly(
      'database: another host takes writes, too: the one that was promoted last is used, stop the other',
      { host, others: others.join(', ') },
    )
}
