import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { outbox, reactions } from '@/db/tables/outbox'

export const listDeadReactions = (db: Db, limit: number) =>
  db
    .select({
      id: reactions.outboxId,
      listener: reactions.listener,
      type: outbox.type,
      attempts: reactions.attempts,
      error: reactions.lastError,
      at: outbox.createdAt,
    })
    .from(reactions)
    .innerJoin(outbox, eq(outbox.id, reactions.outboxId))
    .where(is(reactions.status, 'dead'))
    .orderBy(desc(outbox.createdAt), reactions.listener)
    .limit(limit)

/** Domain events that failed to relay. They have no dead letter: attempts continue, at most an hour apart. */
export const listStuckEvents = (db: Db, limit: number) =>
  db
    .select({ id: outbox.id, type: outbox.type, attempts: outbox.tries, at: outbox.createdAt })
    .from(outbox)
    .where(and(isNull(outbox.relayedAt), gt(outbox.tries, 0)))
    .orderBy(desc(outbox.createdAt))
    .limit(limit)

/** Revives one reaction, or all if the id is null, with a full set of attempts. */
export const reviveReactions = async (
  tx: Tx,
  id: string | null,
  { at, limit }: { at: Date; limit: number },
): Promise<number> =>
  (
    await tx.execute(sql`
      with dead as (
        select fact_id, listener from reactions
        where status = 'dead' and (${id}::uuid is null or fact_id = ${id}::uuid) limit ${limit}::int for update
      )
      update reactions set status = 'pending', attempts = 0, next_attempt_at = ${at.toISOString()}::timestamptz
      from dead where reactions.fact_id = dead.fact_id and reactions.listener = dead.listener
      returning reactions.fact_id`)
  ).length

export const hurryEvents = async (tx: Tx, id: string | null, limit: number): Promise<number> =>
  (
    await tx.execute(sql`
      update outbox set retry_at = null where id = any(array(
        select id from outbox
        where relayed_at is null and tries > 0 and (${id}::uuid is null or id = ${id}::uuid) limit ${limit}::int for update
      ))
      returning id`)
  ).length
