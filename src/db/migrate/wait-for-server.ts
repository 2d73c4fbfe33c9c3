import { causes } from '@/core/reason'

const PATIENCE_MS = 60_000
const PAUSE_MS = 500

/**
 * Codes of a database that does not listen yet, is still starting, not promoted yet, or slow because the machine is busy. A
 * wrong name or password is not among them.
 */
const NOT_YET =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT|CONNECTION_\w+|57P03|57014|25006|DATABASE_SILENT|COMMIT_SILENT|POOL_BUSY)$/

/** A machine that starts brings up everything at once: waits a while for the database, and says so once. */
export async function untilThere<T>(look: () => Promise<T>, say: (fault: string) => void): Promise<T> {
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

/** Drizzle wraps what the driver threw, and a refusal of ours has its cause. */
const codeOf = (error: unknown): string =>
  (error instanceof Error ? causes(error) : [])
    .map((one) => (one as NodeJS.ErrnoException).code)
    .find((code) => typeof code === 'string') ?? ''
