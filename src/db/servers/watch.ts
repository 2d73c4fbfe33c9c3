import { databaseAddresses } from '@/config/database-address'
import { probeHosts } from './primary'

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
