import { and, eq, gt, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import type { MailKind } from '@/core/mail-kinds'
import type { Db, Tx } from '@/db/client'
import { is, isOneOf } from '@/db/comparisons'
import { deleteInSlices } from '@/db/delete-in-slices'
import { mails } from '@/db/tables/mails'
import { type Letter, URGENCY } from './letter'
import { wants } from './recipient-queries'

export type MailRow = typeof mails.$inferSelect

export type NewMail = Pick<
  MailRow,
  'letter' | 'fact' | 'topic' | 'urgency' | 'createdAt' | 'dueAt' | 'expiresAt'
> & { data: Record<string, unknown>; sealed: Uint8Array | null; address: string | null }

/** Caps the waiting letters of one person, so that an attacker who triggers letters fills only this quota. */
const WAITING_MAX = 100

/** Inserts letters for people who have an address and want this kind, except duplicates. */
export async function insertForPeople(
  tx: Tx,
  people: { id: string; userId: string }[],
  kind: MailKind | null,
  mail: NewMail,
): Promise<number> {
  const userIds = sql`${sql.param(people.map(({ userId }) => userId))}::uuid[]`
  const list = sql`unnest(${sql.param(people.map(({ id }) => id))}::uuid[], ${userIds}) as asked (id, user_id)`
  // Counted once for all people: a correlated count, planned while the table was empty, would read it once per person. Only for
  // news: the count reads all waiting letters, which for 100,000 guests of a cancelled event took minutes.
  const waiting = sql`(select user_id, count(*) as letters from mails
    where user_id = any(${userIds}) and finished_at is null group by user_id) waiting`
  const written = await tx.execute<{ id: string }>(sql`
    insert into mails (id, user_id, letter, fact, topic, data, sealed, address, urgency, created_at, due_at, expires_at)
    select asked.id, asked.user_id, ${mail.letter}, ${mail.fact}, ${mail.topic}, ${JSON.stringify(mail.data)}::jsonb,
      ${mail.sealed}::bytea, ${mail.address}, ${mail.urgency}::smallint, ${stamp(mail.createdAt)}, ${stamp(mail.dueAt)}, ${stamp(mail.expiresAt)}
    from ${list} join users on users.id = asked.user_id ${mail.urgency < URGENCY.news ? sql`` : sql`left join ${waiting} on waiting.user_id = users.id`}
    where (users.email is not null or ${mail.address}::text is not null) and users.suspended_at is null
      and ${kind === null ? sql`true` : wants(sql`users.id`, kind)}
      and ${mail.urgency < URGENCY.news ? sql`true` : sql`coalesce(waiting.letters, 0) < ${WAITING_MAX}::int`}
    on conflict do nothing
    returning id`)
  return written.length
}

const stamp = (moment: Date) => sql`${moment.toISOString()}::timestamptz`

export const insertForAddress = (tx: Tx | Db, id: string, mail: NewMail) =>
  tx
    .insert(mails)
    .values({ id, ...mail })
    .execute()

/** Counts letters about a topic that each person received recently, including those in progress. */
export const countRecent = (
  tx: Tx,
  { userIds, topic, since }: { userIds: string[]; topic: string; since: Date },
): Promise<{ userId: string; letters: number }[]> =>
  tx
    .select({ userId: sql<string>`${mails.userId}`, letters: sql<number>`count(*)::int` })
    .from(mails)
    .where(
      and(
        isOneOf(mails.userId, userIds),
        eq(mails.topic, topic),
        or(
          and(is(mails.outcome, 'sent'), gt(mails.finishedAt, since)),
          and(isNull(mails.finishedAt), gt(mails.attempts, 0)),
        ),
      ),
    )
    .groupBy(mails.userId)

/** Deletes older waiting letters about the same topic, except those in progress. */
export const supersede = (tx: Tx, { letter, topic, fact }: NewMail, userIds: string[], at: Date) =>
  tx
    .delete(mails)
    .where(
      and(
        isOneOf(mails.userId, userIds),
        eq(mails.letter, letter),
        eq(mails.topic, topic as string),
        ne(mails.fact, fact),
        isNull(mails.finishedAt),
        // An attempt may have delivered it.
        eq(mails.attempts, 0),
        sql`${mails.createdAt} <= ${stamp(at)}`,
      ),
    )
    .execute()

/** Deletes waiting letters about a topic in one statement, except those with an attempt, which may have been delivered. */
export const deleteWaitingAbout = (tx: Tx, topic: string, letters: string[]) =>
  tx
    .delete(mails)
    .where(
      and(
        isNull(mails.finishedAt),
        eq(mails.attempts, 0),
        eq(mails.topic, topic),
        sql`${mails.letter} = any(${sql.param(letters)}::text[])`,
      ),
    )
    .execute()

/** Whether a letter about one of the topics is still to be sent. The urgency bounds the part of the queue that is read. */
export const hasUnsent = async (
  tx: Tx,
  { name, urgency }: Pick<Letter, 'name' | 'urgency'>,
  topics: string[],
): Promise<boolean> =>
  (await tx.$count(
    mails,
    sql`finished_at is null and urgency <= ${URGENCY[urgency]}::smallint and letter = ${name}
      and topic = any(${sql.param(topics)}::text[])`,
  )) > 0

export const MAIL_LANES = ['awaited', 'urgent', 'other'] as const

export type MailLane = (typeof MAIL_LANES)[number]

const IN_LANE = {
  awaited: sql`${mails.urgency} = 0`,
  urgent: sql`${mails.urgency} < 0`,
  other: sql`${mails.urgency} > 0`,
}

/** Leases due letters of a lane. */
export const claimMails = (
  db: Db,
  { at, until, limit, lane }: { at: Date; until: Date; limit: number; lane: MailLane },
): Promise<MailRow[]> => {
  const due = db
    .select({ id: mails.id })
    .from(mails)
    .where(and(isNull(mails.finishedAt), IN_LANE[lane], lte(mails.dueAt, at)))
    .orderBy(mails.urgency, mails.dueAt, mails.id)
    .limit(limit)
    .for('update', { skipLocked: true })
  return db
    .update(mails)
    .set({ attempts: sql`${mails.attempts} + 1`, dueAt: until })
    .where(sql`${mails.id} = any(array(${due}))`)
    .returning()
}

export type MailCounts = { waiting: number; retrying: number; failed: number; oldestSeconds: number | null }

/** Counts letters that are due, retrying, and failed since then. */
export async function countMails(
  db: Db,
  at: Date,
  since: Date,
): Promise<({ lane: MailLane } & MailCounts)[]> {
  const isDue = sql`finished_at is null and due_at <= ${stamp(at)}`
  // Each half is answered by an index of its own.
  return db.execute<{ lane: MailLane } & MailCounts>(sql`
    select case when urgency = 0 then 'awaited' when urgency < 0 then 'urgent' else 'other' end as lane,
      count(*) filter (where ${isDue})::int as waiting,
      count(*) filter (where finished_at is null and due_at > ${stamp(at)})::int as retrying,
      count(*) filter (where finished_at is not null)::int as failed,
      floor(extract(epoch from ${stamp(at)} - min(due_at) filter (where ${isDue})))::int as "oldestSeconds"
    from (
      select urgency, due_at, finished_at from mails
      where finished_at is null and (due_at <= ${stamp(at)} or attempts > 0)
      union all
      select urgency, due_at, finished_at from mails
      where outcome in ('refused', 'expired') and finished_at > ${stamp(since)}
    ) as counted
    group by 1`)
}

export const hasAwaitedUnderWay = async (db: Db): Promise<boolean> =>
  (await db.$count(mails, sql`finished_at is null and urgency = 0 and attempts = 1`)) > 0

/** Returns false if another attempt has taken over the letter. */
const updateHeld = async (
  db: Db,
  { id, attempts }: Pick<MailRow, 'id' | 'attempts'>,
  change: Partial<MailRow>,
): Promise<boolean> =>
  (
    await db
      .update(mails)
      .set(change)
      .where(and(eq(mails.id, id), eq(mails.attempts, attempts), isNull(mails.finishedAt)))
      .returning({ id: mails.id })
  ).length > 0

/** Keeps only the outcome; the letter's data is deleted. */
export const finishMail = (db: Db, held: MailRow, outcome: NonNullable<MailRow['outcome']>, at: Date) =>
  updateHeld(db, held, { finishedAt: at, outcome, data: {}, sealed: null, address: null })

export const postponeMail = (db: Db, held: MailRow, until: Date) => updateHeld(db, held, { dueAt: until })

/** Deletes awaited letters to an address without an account. They are few. */
export const deleteWaitingFor = (tx: Tx, address: string) =>
  tx
    .delete(mails)
    .where(and(isNull(mails.finishedAt), sql`${mails.urgency} = 0`, eq(mails.address, address)))
    .execute()

export const deleteFinishedMails = (db: Db, before: Date) =>
  deleteInSlices(db, mails, { old: lt(mails.finishedAt, before), by: [mails.finishedAt, mails.id] })
