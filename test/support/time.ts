import { advanceClock } from '@/core/clock'

export const HOUR_MS = 3_600_000

export const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS)

/** Does something as if so much time had gone by; afterwards it is now again. */
export async function later<T>(ms: number, work: () => T | Promise<T>): Promise<T> {
  advanceClock(ms)
  try {
    return await work()
  } finally {
    advanceClock(-ms)
  }
}
