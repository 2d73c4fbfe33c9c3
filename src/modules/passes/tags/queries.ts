import { and, asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { isId } from '@/core/ids'
import type { Db, Tx } from '@/db/client'
import { is } from '@/db/comparisons'
import { type After, descending } from '@/db/keyset'
import { filters } from '@/db/statement-names'
import { passes } from '@/db/tables/passes'
import { users } from '@/db/tables/users'
import type { PassRow } from '@/modules/passes/passes/queries'

const isTag = is(passes.type, 'nfc')

/** Serializes minting, so that each order has its own timestamp. */
export const lockMinting = (tx: Tx) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('minting of tags', 0))`)

/** Inserts blank tags and returns their unique timestamp, which identifies the order. One statement text for any number. */
export async function insertTags(tx: Tx, ids: string[], designId: string | null): Promise<Date> {
  const [first] = await tx.execute<{ at: Date | string }>(sql`
    with moment as (
      select greatest(clock_timestamp(), max(${passes.createdAt}) + interval '1 ms')::timestamptz(3) as at
      from ${passes} where ${isTag}
    )
    insert into ${passes} (id, type, design_id, created_at)
    select fresh.id, 'nfc', ${designId}::text, moment.at
    from unnest(${sql.param(ids)}::text[]) as fresh (id), moment
    returning created_at as at`)
  return new Date(first?.at as Date | string)
}

export const NEWEST_FIRST = descending<PassRow>(
  [passes.createdAt, ({ createdAt }) => createdAt],
  [passes.id, ({ id }) => id],
)

const CLAIMED: Record<string, SQL> = {
  true: isNotNull(passes.claimedAt),
  false: isNull(passes.claimedAt),
}

export const listTags = (db: Db | Tx, claimed: boolean | undefined, after: After) =>
  db
    .select()
    .from(passes)
    .where(and(isTag, filters(CLAIMED[String(claimed)]), after))

export const countTags = (db: Db | Tx, claimed: boolean | undefined) =>
  db.$count(passes, and(isTag, filters(CLAIMED[String(claimed)])))

export const tagsOfMoment = async (db: Db | Tx, moment: Date): Promise<string[]> =>
  (
    await db
      .select({ id: passes.id })
      .from(passes)
      .where(and(isTag, eq(passes.createdAt, moment)))
      .orderBy(asc(passes.id))
  ).map(({ id }) => id)

export async function isAdministrator(db: Db | Tx, userId: string): Promise<boolean> {
  if (!isId(userId)) return false
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), is(users.role, 'admin'), isNull(users.suspendedAt)))
  return found.length > 0
}
