import { sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { outbox } from '@/db/tables/outbox'

/** Domain events whose relay has failed at least once. */
export const countRetried = (db: Db | Tx): Promise<number> =>
  db.$count(outbox, sql`${outbox.relayedAt} is null and ${outbox.tries} > 0`)

/** The database clock dates domain events, so it also measures their age. */
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
