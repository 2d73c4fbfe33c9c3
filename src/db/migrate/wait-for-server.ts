import { causes } from '@/core/reason'

const PATIENCE_MS = 60_000
const PAUSE_MS = 500

/**
 * Codes of a database that does not listen yet, is starting, not promoted yet, or slow on a busy machine. A wrong name or
 * password is final.
 */
const NOT_YET =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT|CONNECTION_\w+|57P03|57014|25006|DATABASE_SILENT|COMMIT_SILENT|POOL_BUSY)$/

/** A booting machine starts everything at once: waits for the database for a while and logs it once. */
export async function waitForServer<T>(look: () => Promise<T>, say: (fault: string) => void): Promise<T> {
  const giveUpAt = performance.now() + PATIENCE_MS
  for (let isSaid = false; ; isSaid = true) {
    try {
      return await look()
    } catch (error) {
      const code = codeOf(error)
      if (!NOT_YET.test(code) || performance.now() > giveUpAt) throw error
      if (!isSaid) say(code)
      await Bun.sleep(PAUSE_MS)
    }
  }
}

/** Drizzle wraps the driver's error, and our own errors have a cause. */
const codeOf = (error: unknown): string =>
  (error instanceof Error ? causes(error) : [])
    .map((one) => (one as NodeJS.ErrnoException).code)
    .find((code) => typeof code === 'string') ?? ''
