import { config } from '@/config/config'
import { log } from './log'
import { reasonOf } from './reason'

/** How long an answer waits. On a machine that runs many tests at once, small work takes longer than a second. */
const ENOUGH_MS = config.mode === 'test' ? 10_000 : 1000

/** Waits a moment for some work, which is all of it in most cases; the rest goes on in the background. A sweep retries what fails. */
export async function soon(what: string, work: () => Promise<void>): Promise<void> {
  const logged = work().catch((error: Error) => log.warn(`${what} is left to the sweep`, reasonOf(error)))
  await Promise.race([logged, Bun.sleep(ENOUGH_MS)])
}
