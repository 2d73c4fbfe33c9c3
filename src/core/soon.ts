import { log } from './log'
import { reasonOf } from './reason'

/**
 * Waits for the first portions of some work, which is all of it in most cases; the rest goes on in the background. A
 * failure is left to the sweep that continues such work.
 */
export async function soon(
  what: string,
  portions: number,
  work: (tell: () => void) => Promise<void>,
): Promise<void> {
  const enough = Promise.withResolvers<void>()
  let done = 0
  const all = work(() => {
    done += 1
    if (done === portions) enough.resolve()
  })
  const logged = all.catch((error: Error) => log.warn(`${what} is left to the sweep`, reasonOf(error)))
  await Promise.race([enough.promise, logged])
}
