import { sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { outbox } from '@/db/tables/outbox'

/** Those that could not be relayed at least once. */
export const countRetried = (db: Db | Tx): Promise<number> =>
  db.$count(outbox, sql`${outbox.relayedAt} is null and ${outbox.tries} > 0`)

/** Domain events are dated by the database's clock, so their age is too. */
export async function findOutboxFigures(db: Db | Tx) {
  const [row] = await db
    .select({
      pending: sql<number>`count(*)::int`,
      oldestSeconds: sql<number | null>`floor(extract(epoch from now() - min(${outbox.createdAt})))::int`,
    })
    .from(outbox)
    .where(sql`${outbox.relayedAt} is null`)
  return row ?? { pending: 0, oldestSeconds: null }
}
