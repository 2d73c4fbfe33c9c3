import { sql } from 'drizzle-orm'
import type { EventType } from '@/core/domain-events'
import { db } from '@/db/client'
import { outbox } from '@/db/tables/outbox'
import type { Json } from './api'

/** What was written down about a thing or a person, in the order in which it happened. */
export const eventsAbout = async (id: string): Promise<{ type: EventType; data: Json }[]> =>
  (await db
    .select({ type: outbox.type, data: outbox.payload })
    .from(outbox)
    .where(sql`${outbox.payload}::text like ${`%${id}%`}`)
    .orderBy(outbox.id)) as { type: EventType; data: Json }[]
