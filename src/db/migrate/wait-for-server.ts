import type postgres from 'postgres'

const PATIENCE_MS = 30_000
const PAUSE_MS = 500

/** Codes of a database that does not listen yet, or is still starting. A wrong name or password is not among them. */
const NOT_YET = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT|CONNECTION_CLOSED|57P03)$/

/** A machine that starts brings up everything at once: waits a while for the database, and says so once. */
export async function untilThere(client: postgres.Sql, say: (fault: string) => void): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS
  for (let isSaid = false; ; isSaid = true) {
    try {
      await client`select 1`
      return
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if (!NOT_YET.test(code) || performance.now() > giveUpAt) throw error
      if (!isSaid) say(code)
      await Bun.sleep(PAUSE_MS)
    }
  }
}
