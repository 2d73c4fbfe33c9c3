import { and, desc, eq, gt, gte, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { deleteInSlices } from '@/db/delete-in-slices'
import { sessions } from '@/db/tables/credentials'
import { addressChanges } from '@/db/tables/mails'
import { identities } from '@/db/tables/sign-in'
import { users } from '@/db/tables/users'

export type ChangeRow = typeof addressChanges.$inferSelect

const isAsked = and(isNull(addressChanges.confirmedAt), isNull(addressChanges.undoneAt))

export const findAsked = async (db: Db | Tx, userId: string): Promise<ChangeRow | undefined> =>
  (
    await db
      .select()
      .from(addressChanges)
      .where(and(eq(addressChanges.userId, userId), isAsked))
  )[0]

export const insertChange = (tx: Tx, row: typeof addressChanges.$inferInsert) =>
  tx.insert(addressChanges).values(row).execute()

/** Replaces the requested address. The row, and the old address's undo link, stay. */
export const replaceRequest = (
  tx: Tx,
  id: string,
  change: Pick<ChangeRow, 'newEmail' | 'sessionId' | 'confirmHash' | 'expiresAt' | 'undoUntil'>,
) => tx.update(addressChanges).set(change).where(eq(addressChanges.id, id)).execute()

/** Cancels the confirmation. The undo link of the old address stays valid, because the requester may try again. */
export const takeBack = (tx: Tx, userId: string) =>
  tx
    .update(addressChanges)
    .set({ sessionId: null })
    .where(and(eq(addressChanges.userId, userId), isAsked))
    .execute()

export const findChange = async (db: Db | Tx, id: string): Promise<ChangeRow | undefined> =>
  (await db.select().from(addressChanges).where(eq(addressChanges.id, id)))[0]

/** A pending change whose requesting session is still signed in. */
export const findConfirmable = async (
  db: Db | Tx,
  by: { confirmHash: Uint8Array } | { id: string },
  at: Date,
): Promise<ChangeRow | undefined> =>
  (
    await db
      .select({ change: addressChanges })
      .from(addressChanges)
      .innerJoin(sessions, eq(sessions.id, addressChanges.sessionId))
      .innerJoin(users, eq(users.id, addressChanges.userId))
      .where(
        and(
          'id' in by ? eq(addressChanges.id, by.id) : eq(addressChanges.confirmHash, by.confirmHash),
          isAsked,
          gt(addressChanges.expiresAt, at),
          gt(sessions.expiresAt, at),
          isNull(users.suspendedAt),
        ),
      )
  )[0]?.change

/** A change that the old address may undo. */
export const findUndoable = async (
  db: Db | Tx,
  by: { undoHash: Uint8Array } | { id: string },
  at: Date,
): Promise<ChangeRow | undefined> =>
  (
    await db
      .select()
      .from(addressChanges)
      .where(
        and(
          'id' in by ? eq(addressChanges.id, by.id) : eq(addressChanges.undoHash, by.undoHash),
          isNotNull(addressChanges.oldEmail),
          isNull(addressChanges.undoneAt),
          gt(addressChanges.undoUntil, at),
        ),
      )
  )[0]

export const markConfirmed = (tx: Tx, id: string, at: Date, undoUntil: Date) =>
  tx
    .update(addressChanges)
    .set({ confirmedAt: at, undoUntil, sessionId: null })
    .where(eq(addressChanges.id, id))
    .execute()

/** Ends a change and all later ones. */
export const markUndoneSince = (tx: Tx, { userId, id }: Pick<ChangeRow, 'userId' | 'id'>, at: Date) =>
  tx
    .update(addressChanges)
    .set({ undoneAt: at, sessionId: null })
    .where(
      and(eq(addressChanges.userId, userId), gte(addressChanges.id, id), isNull(addressChanges.undoneAt)),
    )
    .execute()

/** The first undoable change away from this address. */
export const findDepartureFrom = async (
  tx: Tx,
  userId: string,
  email: string,
  at: Date,
): Promise<ChangeRow | undefined> =>
  (
    await tx
      .select()
      .from(addressChanges)
      .where(
        and(
          eq(addressChanges.userId, userId),
          eq(sql`lower(${addressChanges.oldEmail})`, email),
          isNotNull(addressChanges.confirmedAt),
          isNull(addressChanges.undoneAt),
          gt(addressChanges.undoUntil, at),
        ),
      )
      .orderBy(addressChanges.id)
      .limit(1)
  )[0]

/** The last confirmed change that can still be undone. */
export const findUndoableConfirmed = async (
  tx: Tx,
  userId: string,
  at: Date,
): Promise<ChangeRow | undefined> =>
  (
    await tx
      .select()
      .from(addressChanges)
      .where(
        and(
          eq(addressChanges.userId, userId),
          isNotNull(addressChanges.oldEmail),
          isNotNull(addressChanges.confirmedAt),
          isNull(addressChanges.undoneAt),
          gt(addressChanges.undoUntil, at),
        ),
      )
      .orderBy(desc(addressChanges.undoUntil))
      .limit(1)
  )[0]

export const setAddress = (tx: Tx, userId: string, email: string, at: Date) =>
  tx.update(users).set({ email, updatedAt: at }).where(eq(users.id, userId)).execute()

export const deleteIdentitiesOf = async (tx: Tx, userId: string): Promise<number> =>
  (await tx.delete(identities).where(eq(identities.userId, userId)).returning({ id: identities.id })).length

export const beganAt = async (db: Db | Tx, sessionId: string): Promise<Date | undefined> =>
  (await db.select({ at: sessions.createdAt }).from(sessions).where(eq(sessions.id, sessionId)))[0]?.at

export const deleteOldChanges = (db: Db, at: Date) =>
  deleteInSlices(db, addressChanges, {
    old: lt(addressChanges.undoUntil, at),
    by: [addressChanges.undoUntil, addressChanges.id],
  })
