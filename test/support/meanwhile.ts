import { sql } from 'drizzle-orm'
import { db, type Tx } from '@/db/client'
import type { Answer } from './api'
import { until } from './processes'

/**
 * Asks while a change is on its way: whoever looks still sees the world before it, whoever wants to write waits.
 * The change commits as soon as somebody does.
 */
export async function meanwhile(
  change: (tx: Tx) => Promise<unknown>,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const answer = Promise.withResolvers<Answer>()
  await db.transaction(async (tx) => {
    await change(tx)
    ask().then(answer.resolve, answer.reject)
    await until('somebody waits', isAnyoneWaiting, 4000)
  })
  return answer.promise
}

export const isAnyoneWaiting = async () =>
  (
    await db.execute(
      sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length > 0
