import { sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { outbox } from '@/db/tables/outbox'

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
