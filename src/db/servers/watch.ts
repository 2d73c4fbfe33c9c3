import { databaseAddresses } from '@/config/database-address'
import { errorSparingly, log } from '@/core/log'
import { type ProbeResult, probeHosts } from './primary'

let said: string | undefined

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

const EVERY_MS = 3000

const writers = new Map<string, number>()

/** How many hosts of a database take writes: one if all is well. A single host is not probed. */
export const primariesSeen = () => (writers.size === 0 ? [] : [Math.max(...writers.values())])

/** Probes the hosts of an address regularly if it names several. Returns the stop function. */
export function watchHosts(url: string): () => void {
  if (databaseAddresses(url).length < 2) return () => {}
  let isLooking = false
  const timer = setInterval(async () => {
    if (isLooking) return
    isLooking = true
    const hosts = await probeHosts(url)
    isLooking = false
    if (!isOver) writers.set(url, hosts.filter(({ takesWrites }) => takesWrites).length)
  }, EVERY_MS)
  timer.unref()
  let isOver = false
  return () => {
    isOver = true
    clearInterval(timer)
    writers.delete(url)
  }
}
