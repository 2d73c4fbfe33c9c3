import postgres from 'postgres'
import { databaseNamed } from '../test/support/template'

export type StatementCounter = { count(): Promise<number>; close(): Promise<void> }

/** PostgreSQL adds up what a connection did once a second at most. */
const SETTLE_MS = 1100

/**
 * Counts the transactions of a database, of which every statement outside of one is one. It looks from
 * another database, so that it does not count itself.
 */
export function statementCounter(databaseUrl: string): StatementCounter {
  const name = new URL(databaseUrl).pathname.slice(1)
  const client = postgres(databaseNamed(databaseUrl, 'postgres'), { max: 1, onnotice: () => {} })
  return {
    async count() {
      await Bun.sleep(SETTLE_MS)
      const [row] = await client<{ count: string }[]>`
        select xact_commit + xact_rollback as count from pg_stat_database where datname = ${name}`
      return Number(row?.count)
    },
    close: () => client.end({ timeout: 1 }),
  }
}
