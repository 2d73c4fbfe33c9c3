import type { EventData, EventType, Fact } from '@/core/events'
import { newId } from '@/core/ids'
import type { Tx } from './client'
import { outbox } from './tables/facts'
import { note } from './transaction'

/** Writes down that something happened, in the transaction in which it happens. */
export async function emit<T extends EventType>(tx: Tx, type: T, data: EventData<T>): Promise<void> {
  await tx.insert(outbox).values({ id: newId(), type, payload: data })
  note(tx, { type, data } as unknown as Fact)
}
