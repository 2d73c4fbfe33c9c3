import { and, eq, exists, gt, isNotNull, isNull, ne, not, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { addressChanges } from '@/db/tables/mails'
import { users } from '@/db/tables/users'

export const findIdByAddress = async (tx: Db | Tx, email: string): Promise<string | undefined> =>
  (
    await tx
      .select({ id: users.id })
      .from(users)
      .where(eq(sql`lower(${users.email})`, email))
  )[0]?.id

/** The same with a lock: an account that is losing the address has lost it by then, and is not found. */
export const lockIdByAddress = async (tx: Tx, email: string): Promise<string | undefined> =>
  (
    await tx
      .select({ id: users.id })
      .from(users)
      .where(eq(sql`lower(${users.email})`, email))
      .for('no key update')
  )[0]?.id

/**
 * Whether an address was changed so recently that the change can be undone. Check after taking the address, in the same
 * transaction: a concurrent change has committed by then.
 */
export const isHeldAddress = async (
  tx: Db | Tx,
  email: string,
  at: Date,
  except: { userId: string } | null = null,
): Promise<boolean> =>
  (await tx.$count(
    addressChanges,
    and(
      eq(sql`lower(${addressChanges.oldEmail})`, email),
      isNotNull(addressChanges.confirmedAt),
      isNull(addressChanges.undoneAt),
      gt(addressChanges.undoUntil, at),
      except === null ? undefined : ne(addressChanges.userId, except.userId),
    ),
  )) > 0

/** False if the username or mail address is taken. */
export const insertPerson = async (
  tx: Tx,
  row: { id: string; name: string; username: string; email: string | null },
): Promise<boolean> =>
  (await tx.insert(users).values(row).onConflictDoNothing().returning({ id: users.id })).length > 0

/** Sets the last login and returns whether it is the first; undefined for a suspended person, who cannot sign in. */
export const recordLogin = async (tx: Tx, id: string, at: Date) =>
  (
    await tx
      .update(users)
      .set({ lastLoginAt: at })
      .where(and(eq(users.id, id), sql`${users.suspendedAt} is null`))
      .returning({ id: users.id, role: users.role, email: users.email, isFirst: isFirstLogin(tx, id) })
  )[0]

/** A subquery of RETURNING reads the row before the update. */
const before = alias(users, 'before')
const isFirstLogin = (tx: Tx, id: string) =>
  sql<boolean>`(${tx
    .select({ never: sql`${before.lastLoginAt} is null` })
    .from(before)
    .where(eq(before.id, id))})`

/** The same lock as when the last administrator leaves. */
export const lockAdministrators = (tx: Tx) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('administrators', 0))`)

const administrators = alias(users, 'administrators')

export const appointFirstAdministrator = async (tx: Tx, id: string): Promise<boolean> =>
  (
    await tx
      .update(users)
      .set({ role: 'admin' })
      .where(
        and(
          eq(users.id, id),
          not(
            exists(
              tx
                .select({ one: sql`1` })
                .from(administrators)
                .where(and(is(administrators.role, 'admin'), sql`${administrators.suspendedAt} is null`)),
            ),
          ),
        ),
      )
      .returning({ id: users.id })
  ).length > 0
