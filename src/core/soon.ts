import { config } from '@/config/config'
import { log } from './log'
import { reasonOf } from './reason'

/** The maximum wait. With many tests at once, small work takes longer than a second. */
const ENOUGH_MS = config.mode === 'test' ? 10_000 : 1000

/** Waits briefly for work that usually ends in time; otherwise it continues in the background. A sweep retries failures. */
export async function soon(what: string, work: () => Promise<void>): Promise<void> {
  const logged = work().catch((error: Error) => log.warn(`${what} is left to the sweep`, reasonOf(error)))
  await Promise.race([logged, Bun.sleep(ENOUGH_MS)])
}
