import { sql } from 'drizzle-orm'
import type { EventData, EventType, Fact } from '@/core/events'
import { newId } from '@/core/ids'
import type { Tx } from './client'
import { outbox } from './tables/facts'
import { note } from './transaction'

const FACTS_AT_ONCE = 1000

/** Writes down that something happened, in the transaction in which it happens. */
export async function emit<T extends EventType>(tx: Tx, type: T, data: EventData<T>): Promise<void> {
  await tx.insert(outbox).values({ id: newId(), type, payload: data })
  note(tx, { type, data } as unknown as Fact)
}

/** Writes down that the same happened to many, in as few statements as that takes. */
export async function emitAll<T extends EventType>(tx: Tx, type: T, many: EventData<T>[]): Promise<void> {
  for (let start = 0; start < many.length; start += FACTS_AT_ONCE) {
    const some = many.slice(start, start + FACTS_AT_ONCE)
    const ids = sql.param(some.map(newId))
    const payloads = sql.param(some.map((data) => JSON.stringify(data)))
    // Arrays make it the same statement for any number: connections keep every statement that they have seen.
    await tx.execute(sql`insert into ${outbox} (id, type, payload)
      select id, ${type}::text, payload::jsonb from unnest(${ids}::uuid[], ${payloads}::text[]) as fact (id, payload)`)
  }
  for (const data of many) note(tx, { type, data } as unknown as Fact)
}
