import { and, eq, gt, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { deleteInSlices } from '@/db/delete-in-slices'
import { signInFailures, signInMails } from '@/db/tables/sign-in'

export type SignInMail = typeof signInMails.$inferSelect

export const insertMail = (tx: Db | Tx, row: typeof signInMails.$inferInsert) =>
  tx.insert(signInMails).values(row)

const alive = (at: Date) => and(isNull(signInMails.usedAt), gt(signInMails.expiresAt, at))

export const findMail = async (db: Db | Tx, tokenHash: Uint8Array, at: Date) =>
  (
    await db
      .select()
      .from(signInMails)
      .where(and(eq(signInMails.tokenHash, tokenHash), alive(at)))
  )[0]

/** Uses a mail up. The database lets one of concurrent requests win. */
export const useMail = async (
  tx: Tx,
  mail: { tokenHash: Uint8Array } | { id: string },
  at: Date,
): Promise<SignInMail | undefined> =>
  (
    await tx
      .update(signInMails)
      .set({ usedAt: at })
      .where(
        and(
          'id' in mail ? eq(signInMails.id, mail.id) : eq(signInMails.tokenHash, mail.tokenHash),
          alive(at),
        ),
      )
      .returning()
  )[0]

/** Charges an attempt to every mail that could hold a code before the comparison, to bound the attempts. */
export const chargeTry = (tx: Tx, email: string, triesMax: number, at: Date) =>
  tx
    .update(signInMails)
    .set({ attempts: sql`${signInMails.attempts} + 1` })
    .where(
      and(
        inArray(
          signInMails.id,
          tx
            .select({ id: signInMails.id })
            .from(signInMails)
            .where(and(eq(signInMails.email, email), alive(at)))
            .orderBy(signInMails.id)
            .for('update'),
        ),
        lt(signInMails.attempts, triesMax),
      ),
    )
    .returning()

/** Uses up the person's other mails; skips one that is locked by a concurrent use. */
export const useUpOthers = (tx: Tx, email: string, at: Date) =>
  tx
    .update(signInMails)
    .set({ usedAt: at })
    .where(
      inArray(
        signInMails.id,
        tx
          .select({ id: signInMails.id })
          .from(signInMails)
          .where(and(eq(signInMails.email, email), alive(at)))
          .for('update', { skipLocked: true }),
      ),
    )

export const deleteMailsTo = (tx: Tx, email: string) =>
  tx.delete(signInMails).where(eq(signInMails.email, email)).execute()

export const deleteOldSignInMails = (db: Db, at: Date) =>
  deleteInSlices(db, signInMails, {
    old: lt(signInMails.expiresAt, at),
    by: [signInMails.expiresAt, signInMails.id],
  })

/** Charges a failure to a mailbox before the comparison. Undefined if its budget is used up. */
export const chargeFailure = async (
  tx: Tx,
  row: { mailbox: Uint8Array; endsAt: Date },
  failuresMax: number,
  at: Date,
) =>
  (
    await tx
      .insert(signInFailures)
      .values({ ...row, failures: 1 })
      .onConflictDoUpdate({
        target: signInFailures.mailbox,
        set: {
          failures: sql`case when ${hasEnded(at)} then 1 else ${signInFailures.failures} + 1 end`,
          endsAt: sql`case when ${hasEnded(at)} then excluded.ends_at else ${signInFailures.endsAt} end`,
        },
        setWhere: or(hasEnded(at), lt(signInFailures.failures, failuresMax)),
      })
      .returning()
  )[0]

const hasEnded = (at: Date) => lte(signInFailures.endsAt, at)

export const findFailures = async (tx: Tx, mailbox: Uint8Array) =>
  (await tx.select().from(signInFailures).where(eq(signInFailures.mailbox, mailbox)))[0]

export const takeFailureBack = (tx: Tx, mailbox: Uint8Array) =>
  tx
    .update(signInFailures)
    .set({ failures: sql`${signInFailures.failures} - 1` })
    .where(eq(signInFailures.mailbox, mailbox))

export const deleteOldFailures = (db: Db, at: Date) =>
  deleteInSlices(db, signInFailures, {
    old: hasEnded(at),
    by: [signInFailures.endsAt, signInFailures.mailbox],
  })
