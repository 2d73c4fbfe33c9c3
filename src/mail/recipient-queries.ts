import { eq, lt, type SQL, sql } from 'drizzle-orm'
import { MAIL_KINDS, type MailKind } from '@/core/mail-kinds'
import type { Db, Tx } from '@/db/client'
import { deleteInSlices } from '@/db/delete-in-slices'
import { keptMails, mailSwitches, refusingMailboxes } from '@/db/tables/mails'
import { users } from '@/db/tables/users'

/** Recipients: their switches, mailboxes that refuse mail, and the mailboxes of the demo. */

export const wants = (userId: SQL, kind: MailKind): SQL =>
  sql`coalesce((select is_on from mail_switches where mail_switches.user_id = ${userId} and kind = ${kind}), ${MAIL_KINDS[kind]})`

export async function findReader(db: Db, userId: string) {
  const [found] = await db
    .select({
      userId: users.id,
      name: users.name,
      username: users.username,
      email: users.email,
      language: users.language,
      timeZone: users.timeZone,
      suspendedAt: users.suspendedAt,
    })
    .from(users)
    .where(eq(users.id, userId))
  return found
}

export async function isWanted(db: Db | Tx, userId: string, kind: MailKind): Promise<boolean> {
  const [found] = await db
    .select({ isWanted: sql<boolean>`${wants(sql`${userId}::uuid`, kind)}` })
    .from(users)
    .where(eq(users.id, userId))
  return found?.isWanted ?? false
}

export const listSwitches = (db: Db | Tx, userId: string) =>
  db
    .select({ kind: mailSwitches.kind, isOn: mailSwitches.isOn })
    .from(mailSwitches)
    .where(eq(mailSwitches.userId, userId))

/** Switches kinds of mail on or off. Returns false if the person does not exist; waits for a deletion in progress. */
export async function setSwitches(
  db: Db | Tx,
  userId: string,
  switches: { kind: MailKind; isOn: boolean }[],
): Promise<boolean> {
  const list = sql`jsonb_to_recordset(${JSON.stringify(switches)}::jsonb) as asked (kind text, "isOn" boolean)`
  const written = await db.execute(sql`
    with person as (select id from users where id = ${userId}::uuid for key share)
    insert into mail_switches (user_id, kind, is_on)
    select person.id, asked.kind, asked."isOn" from person, ${list}
    on conflict (user_id, kind) do update set is_on = excluded.is_on
    returning kind`)
  return written.length === switches.length
}

export const upsertRefusal = (db: Db, mailbox: Uint8Array, at: Date) =>
  db
    .insert(refusingMailboxes)
    .values({ mailbox, at })
    .onConflictDoUpdate({ target: refusingMailboxes.mailbox, set: { at } })
    .execute()

export const deleteRefusal = (db: Db | Tx, mailbox: Uint8Array) =>
  db.delete(refusingMailboxes).where(eq(refusingMailboxes.mailbox, mailbox)).execute()

export const hasRefusal = async (db: Db, mailbox: Uint8Array): Promise<boolean> =>
  (await db.$count(refusingMailboxes, eq(refusingMailboxes.mailbox, mailbox))) > 0

export const insertKept = (db: Db, row: typeof keptMails.$inferInsert) =>
  db.insert(keptMails).values(row).onConflictDoNothing().execute()

export const listKept = (db: Db, limit: number, mailbox?: Uint8Array) =>
  db
    .select()
    .from(keptMails)
    .where(mailbox && eq(keptMails.mailbox, mailbox))
    .orderBy(sql`${keptMails.at} desc, ${keptMails.id} desc`)
    .limit(limit)

export const findKept = async (db: Db, id: string) =>
  (await db.select().from(keptMails).where(eq(keptMails.id, id)))[0]

export const deleteOldRefusals = (db: Db, before: Date) =>
  deleteInSlices(db, refusingMailboxes, { old: lt(refusingMailboxes.at, before), by: [refusingMailboxes.at] })

export const deleteKept = (db: Db, before: Date) =>
  deleteInSlices(db, keptMails, { old: lt(keptMails.at, before), by: [keptMails.at, keptMails.id] })
