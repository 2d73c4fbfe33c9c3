import { sql } from 'drizzle-orm'
import { nowMs } from '@/core/clock'
import { type DomainEvent, type EventData, type EventType, objectOf } from '@/core/domain-events'
import { newId } from '@/core/ids'
import type { Tx } from '@/db/client'
import { outbox } from '@/db/tables/outbox'
import { publishAfterCommit } from './broadcast'
import { numbering } from './sequences'

/** The order of domain events and of reactions, lowest first. */
export const URGENT = 0
export const ORDINARY = 1

/**
 * Guests must learn of a cancelled or moved event before thousands of promotions are relayed. All changes of an event share the
 * urgency, so they are relayed in order.
 */
export const urgencyOf = (type: EventType) => (type.startsWith('event.') ? URGENT : ORDINARY)

const EVENTS_AT_ONCE = 1000

/** Inserts a domain event in the transaction of the change. */
export const emit = <T extends EventType>(tx: Tx, type: T, data: EventData<T>): Promise<void> =>
  emitAll(tx, type, [data])

/** Inserts domain events of one type in batches, and numbers them per object. */
export async function emitAll<T extends EventType>(tx: Tx, type: T, many: EventData<T>[]): Promise<void> {
  for (let start = 0; start < many.length; start += EVENTS_AT_ONCE) {
    const some = many.slice(start, start + EVENTS_AT_ONCE)
    const ids = sql.param(some.map(newId))
    const payloads = sql.param(some.map((data) => JSON.stringify(data)))
    const objects = sql.param(some.map((data) => objectOf({ type, data })))
    // Arrays keep the statement text the same for any number of events: connections cache every prepared statement.
    await tx.execute(sql`
      with emitted as (
        select id, payload, hashtextextended(name, 0) as object, place
        from unnest(${ids}::uuid[], ${payloads}::text[], ${objects}::text[]) with ordinality as emitted (id, payload, name, place)
      ), ${numbering(nowMs())}
      insert into ${outbox} (id, type, payload, urgency, sequence)
      select id, ${type}::text, payload::jsonb, ${urgencyOf(type)}::smallint, numbered.before + row_number() over (partition by object order by place)
      from emitted join numbered using (object)`)
  }
  for (const data of many) publishAfterCommit(tx, { type, data } as unknown as DomainEvent)
}
