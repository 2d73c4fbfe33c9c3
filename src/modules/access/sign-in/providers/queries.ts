import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { deleteInSlices } from '@/db/delete-in-slices'
import { identities, loginStates } from '@/db/tables/sign-in'

/** Serializes callbacks for the same account. */
export const lockAccount = (tx: Tx, provider: string, subject: string) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`identity ${provider} ${subject}`}, 0))`)

/** The owner of an account; updates its name at the provider. */
export const seeIdentity = async (
  tx: Tx,
  provider: string,
  subject: string,
  now: { username: string | null; email: string | null },
): Promise<string | undefined> =>
  (
    await tx
      .update(identities)
      .set(now)
      .where(and(eq(identities.provider, provider), eq(identities.subject, subject)))
      .returning({ userId: identities.userId })
  )[0]?.userId

/** False if the account is already linked, or the person has another one of that provider. */
export const insertIdentity = async (tx: Tx, row: typeof identities.$inferInsert): Promise<boolean> =>
  (await tx.insert(identities).values(row).onConflictDoNothing().returning({ id: identities.id })).length > 0

export const insertLoginState = (db: Db | Tx, row: typeof loginStates.$inferInsert) =>
  db.insert(loginStates).values(row)

export const findReturnTo = async (db: Db | Tx, id: string): Promise<string | undefined> =>
  (await db.select({ returnTo: loginStates.returnTo }).from(loginStates).where(eq(loginStates.id, id)))[0]
    ?.returnTo

export const deleteOldLoginStates = (db: Db, at: Date) =>
  deleteInSlices(db, loginStates, {
    old: lt(loginStates.expiresAt, at),
    by: [loginStates.expiresAt, loginStates.id],
  })
