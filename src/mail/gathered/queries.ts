import { lt, sql } from 'drizzle-orm'
import type { MailKind } from '@/core/mail-kinds'
import type { Db, Tx } from '@/db/client'
import { deleteInSlices } from '@/db/delete-in-slices'
import { mailItems } from '@/db/tables/mails'
import { wants } from '../recipient-queries'

/** Caps the waiting items of one person, so that an attacker who triggers items fills only this quota. */
const WAITING_MAX = 1000
/** More items than any letter lists. */
const LISTED_MAX = 500

type Item = {
  id: string
  userId: string
  item: string
  letter: string
  kind: MailKind | null
  urgency: number
  at: Date
  waitMs: number
  everyMs: number
  lifeMs: number
}

/**
 * Inserts an item that no letter has contained, and a letter for it unless one is waiting. The waiting letter stays locked until the
 * commit, so it cannot be sent without this item.
 */
export async function insertItem(tx: Tx, item: Item): Promise<boolean> {
  const at = sql`${item.at.toISOString()}::timestamptz`
  const ms = (count: number) => sql`${count}::float8 * interval '1 millisecond'`
  const written = await tx.execute(sql`
    with added as (
      insert into mail_items (user_id, letter, item, at)
      select users.id, ${item.letter}, ${item.item}, ${at} from users
      where users.id = ${item.userId}::uuid and users.email is not null and users.suspended_at is null
        and ${item.kind === null ? sql`true` : wants(sql`users.id`, item.kind)}
        and (select count(*) from mail_items waiting
          where waiting.user_id = users.id and waiting.letter = ${item.letter} and mail_id is null) < ${WAITING_MAX}::int
      on conflict do nothing
      returning user_id
    ), planned as (
      select user_id, greatest(${at} + ${ms(item.waitMs)}, (
        select max(coalesce(finished_at, ${at})) + ${ms(item.everyMs)} from mails before
        where before.user_id = added.user_id and before.letter = ${item.letter} and topic = 'gathered'
          and attempts > 0 and (outcome = 'sent' or outcome is null))) as due_at
      from added
    )
    insert into mails (id, user_id, letter, fact, topic, urgency, created_at, due_at, expires_at)
    select ${item.id}::uuid, user_id, ${item.letter}, ${item.id}::text, 'gathered', ${item.urgency}::smallint, ${at},
      due_at, due_at + ${ms(item.lifeMs)}
    from planned
    on conflict (user_id, letter, topic) where topic is not null and finished_at is null and attempts = 0
    do update set topic = excluded.topic
    returning id`)
  return written.length > 0
}

type Gathering = { id: string; userId: string | null; letter: string }

/** Assigns all waiting items to a letter and returns its items, newest first. Later attempts get the same items. */
export async function takeItems(db: Db, { id, userId, letter }: Gathering, since: Date): Promise<string[]> {
  const of = sql`user_id = ${userId}::uuid and letter = ${letter}`
  const found = await db.execute<{ item: string }>(sql`
    with taken as (
      update mail_items set mail_id = ${id}::uuid
      where ${of} and mail_id is null and at > ${since.toISOString()}::timestamptz
      returning item, at
    )
    select item from (
      select item, at from taken union all select item, at from mail_items where ${of} and mail_id = ${id}::uuid
    ) listed order by at desc, item limit ${LISTED_MAX}::int`)
  return found.map(({ item }) => item)
}

export const deleteOldItems = (db: Db, before: Date) =>
  deleteInSlices(db, mailItems, {
    old: lt(mailItems.at, before),
    by: [mailItems.at, mailItems.userId, mailItems.letter, mailItems.item],
  })
