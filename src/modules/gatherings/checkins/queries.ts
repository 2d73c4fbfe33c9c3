import { and, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { type After, ascending } from '@/db/keyset'
import { demandQuota } from '@/db/quotas'
import { complete } from '@/db/rows'
import { checkinCodes, checkins, events } from '@/db/tables/events'
import { groups } from '@/db/tables/groups'

export type CodeRow = typeof checkinCodes.$inferSelect
export type CheckinRow = typeof checkins.$inferSelect

/** Finds a code with its event and this person's check-in time, if any. */
export async function findEntry(db: Db | Tx, code: string, userId: string | null) {
  const [found] = await db
    .select({
      code: checkinCodes,
      event: {
        id: events.id,
        groupId: events.groupId,
        title: events.title,
        startTime: events.startTime,
        endTime: events.endTime,
        overAt: events.overAt,
        timezone: events.timezone,
        eventType: events.eventType,
        status: events.status,
        photoUrl: events.photoUrl,
      },
      group: { id: groups.id, name: groups.name, urlname: groups.urlname, photoUrl: groups.photoUrl },
      checkedInAt: checkins.checkedInAt,
    })
    .from(checkinCodes)
    .innerJoin(events, eq(events.id, checkinCodes.eventId))
    .innerJoin(groups, eq(groups.id, events.groupId))
    .leftJoin(
      checkins,
      and(eq(checkins.eventId, events.id), userId === null ? sql`false` : eq(checkins.userId, userId)),
    )
    .where(eq(checkinCodes.code, code))
  return found
}

export type Entry = NonNullable<Awaited<ReturnType<typeof findEntry>>>

export type NewCheckin = Pick<CheckinRow, 'id' | 'eventId' | 'userId' | 'method' | 'checkedInAt'> & {
  guestId?: string
}

/**
 * Counts a use and inserts the check-in in one statement, which keeps the lock on the code's row short. Returns undefined if the
 * code is used up, expired or deleted, or if the person is already checked in; the use may be counted all the same, so the caller
 * must roll back.
 */
export async function insertWithCode(
  tx: Tx,
  codeId: string,
  { id, eventId, userId, method, checkedInAt: at }: NewCheckin,
): Promise<CheckinRow | undefined> {
  const used = tx.$with('used').as(
    tx
      .update(checkinCodes)
      .set({ currentUses: sql`${checkinCodes.currentUses} + 1` })
      .where(
        and(
          eq(checkinCodes.id, codeId),
          or(isNull(checkinCodes.maxUses), lt(checkinCodes.currentUses, checkinCodes.maxUses)),
          or(isNull(checkinCodes.expiresAt), gt(checkinCodes.expiresAt, at)),
        ),
      )
      .returning({ id: checkinCodes.id }),
  )
  const row = {
    id: sql<string>`${id}::uuid`.as('id'),
    eventId: sql<string>`${eventId}::uuid`.as('event_id'),
    userId: sql<string>`${userId}::uuid`.as('user_id'),
    guestId: sql<string | null>`null::uuid`.as('guest_id'),
    codeId: used.id,
    method: sql<CheckinRow['method']>`${method}::text`.as('method'),
    checkedInAt: sql<Date>`${at.toISOString()}::timestamptz`.as('checked_in_at'),
  }
  const [inserted] = await tx
    .with(used)
    .insert(checkins)
    .select(tx.select(row).from(used))
    .onConflictDoNothing()
    .returning()
  return inserted
}

export const giveBackUse = (tx: Tx, codeId: string) =>
  tx
    .update(checkinCodes)
    .set({ currentUses: sql`${checkinCodes.currentUses} - 1` })
    .where(and(eq(checkinCodes.id, codeId), gt(checkinCodes.currentUses, 0)))

/** Returns undefined if the person is already checked in. */
export async function insertCheckin(tx: Tx, row: NewCheckin): Promise<CheckinRow | undefined> {
  const [inserted] = await tx.insert(checkins).values(row).onConflictDoNothing().returning()
  return inserted
}

export const demandQuotaForCode = (tx: Tx, eventId: string) =>
  demandQuota(tx, 'checkinCodes', {
    parent: [events.id, eventId],
    children: checkinCodes,
    which: eq(checkinCodes.eventId, eventId),
  })

/** Returns undefined if the code is taken. */
export async function insertCode(
  tx: Tx,
  row: typeof checkinCodes.$inferInsert,
): Promise<CodeRow | undefined> {
  const [inserted] = await tx
    .insert(checkinCodes)
    .values(complete(checkinCodes, row))
    .onConflictDoNothing({ target: checkinCodes.code })
    .returning()
  return inserted
}

export const OLDEST_CODE_FIRST = ascending<CodeRow>(
  [checkinCodes.createdAt, (row) => row.createdAt],
  [checkinCodes.id, (row) => row.id],
)

export const listCodesOf = (db: Db | Tx, eventId: string, after: After) =>
  db
    .select()
    .from(checkinCodes)
    .where(and(eq(checkinCodes.eventId, eventId), after))

export const countCodesOf = (db: Db | Tx, eventId: string) =>
  db.$count(checkinCodes, eq(checkinCodes.eventId, eventId))

/** Deletes a code but not its check-ins. */
export async function deleteCode(tx: Tx, groupId: string, codeId: string): Promise<boolean> {
  const ofGroup = tx.select({ id: events.id }).from(events).where(eq(events.groupId, groupId))
  const deleted = await tx
    .delete(checkinCodes)
    .where(and(eq(checkinCodes.id, codeId), inArray(checkinCodes.eventId, ofGroup)))
    .returning({ id: checkinCodes.id })
  return deleted.length > 0
}
