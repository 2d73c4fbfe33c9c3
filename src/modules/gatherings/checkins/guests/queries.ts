import { and, eq, gt, isNotNull, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { deleteInSlices } from '@/db/delete-in-slices'
import { demandQuota } from '@/db/quotas'
import { checkins, events, guests } from '@/db/tables/events'

export type GuestRow = typeof guests.$inferSelect

export const demandQuotaForGuest = (tx: Tx, eventId: string) =>
  demandQuota(tx, 'guests', {
    parent: [events.id, eventId],
    children: guests,
    which: eq(guests.eventId, eventId),
  })

/** Returns false if the event already has a guest with this email address. */
export const insertGuest = async (tx: Tx, row: Omit<GuestRow, 'createdAt'>): Promise<boolean> =>
  (await tx.insert(guests).values(row).onConflictDoNothing().returning({ id: guests.id })).length > 0

export const deleteGuestCheckin = async (tx: Tx, eventId: string, guestId: string): Promise<boolean> =>
  (
    await tx
      .delete(checkins)
      .where(and(eq(checkins.eventId, eventId), eq(checkins.guestId, guestId)))
      .returning({ id: checkins.id })
  ).length > 0

export const deleteGuest = (tx: Tx, guestId: string) =>
  tx.delete(guests).where(eq(guests.id, guestId)).execute()

/** Keyset page by guest id, for exports. */
export const guestsAfter = (db: Db | Tx, eventId: string, after: string | undefined, limit: number) =>
  db
    .select({
      guestId: guests.id,
      name: guests.name,
      email: guests.email,
      checkedInAt: checkins.checkedInAt,
      method: checkins.method,
    })
    .from(guests)
    .leftJoin(checkins, eq(checkins.guestId, guests.id))
    .where(and(eq(guests.eventId, eventId), after === undefined ? undefined : gt(guests.id, after)))
    .orderBy(guests.id)
    .limit(limit)

/** Erases guest data by email address; their check-ins still count. */
export const deleteGuestsWith = (tx: Tx, email: string) =>
  tx
    .delete(guests)
    .where(and(isNotNull(guests.email), eq(guests.email, email)))
    .execute()

export const deleteOldGuests = (db: Db, before: Date) =>
  deleteInSlices(db, guests, {
    old: lt(guests.createdAt, before),
    only: sql`exists (select 1 from ${events} where ${events.id} = ${guests.eventId} and ${lt(events.overAt, before)})`,
    by: [guests.createdAt, guests.id],
  })
