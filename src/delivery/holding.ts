import { warnSparingly } from '@/core/log'
import { reasonOf } from '@/core/reason'

/** Renews a lease while the work lasts. A renewal in progress ends before the caller records the outcome. */
export async function holding<T>(
  renewal: { everyMs: number; renew: () => Promise<unknown> },
  work: () => Promise<T>,
): Promise<T> {
  let renewing: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    renewing = renewal.renew().catch((error) => warnSparingly('a lease cannot be renewed', reasonOf(error)))
  }, renewal.everyMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await renewing
  }
}
