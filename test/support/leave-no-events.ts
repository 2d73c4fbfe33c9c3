import { afterAll } from 'bun:test'
import { isNull } from 'drizzle-orm'
import { db } from '@/db/client'
import { outbox } from '@/db/tables/outbox'

/** For files that do thousands of things and wait for no consequence: the next who waits would have to let all of them happen. */
export function leaveNoEvents(): void {
  afterAll(async () => {
    await db.update(outbox).set({ relayedAt: new Date() }).where(isNull(outbox.relayedAt))
  })
}
