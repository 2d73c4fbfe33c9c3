import { databaseAddresses } from '@/config/database-address'
import { lookAround } from './primary'

const EVERY_MS = 3000

const writers = new Map<string, number>()

/** How many hosts of a database took writes when they were last looked at: one, if all is well. Of one host nobody asks. */
export const primariesSeen = () => (writers.size === 0 ? [] : [Math.max(...writers.values())])

/** Looks at the hosts of an address again and again, where it names several. The answer ends it. */
export function watchHosts(url: string): () => void {
  if (databaseAddresses(url).length < 2) return () => {}
  let isLooking = false
  const timer = setInterval(async () => {
    if (isLooking) return
    isLooking = true
    const hosts = await lookAround(url)
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
