import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { shownAddress } from '@/core/own-addresses'
import type { Db, Tx } from '@/db/client'
import { deleteInSlices } from '@/db/delete-in-slices'
import { moverLists, movers } from '@/db/tables/boards'
import type { Mover } from '../queries'

export type MoverList = typeof moverLists.$inferSelect

const isOf = (period: string) => and(eq(moverLists.period, period), isNotNull(moverLists.total))

export async function findList(db: Db, period: string): Promise<(MoverList & { total: number }) | undefined> {
  const [found] = await db.select().from(moverLists).where(isOf(period))
  return found && { ...found, total: found.total ?? 0 }
}

export const beginList = (db: Db, list: Omit<MoverList, 'total'>) => db.insert(moverLists).values(list)

export async function changedMoreThan(db: Db, times: number, since: Date): Promise<boolean> {
  const [found] = await db.execute<{ more: boolean }>(sql`
    select count(*) > ${times} as more from (
      select from score_changes where at >= ${since.toISOString()}::timestamptz
      order by at limit ${times + 1}::int) changes`)
  return found?.more ?? false
}

/** The last position of the scan. */
export type Walked = { xp: number; reachedAt: string; name: string; rank: number; seen: number }

type Slice = { list: string; since: Date; until: Date; after: Walked | undefined; limit: number }

/** Scans the next people on the board and stores those who gained, with both ranks. */
export async function listGains(
  db: Db,
  { list, since, until, after, limit }: Slice,
): Promise<Walked | undefined> {
  const [start, end] = [since, until].map((at) => sql`${at.toISOString()}::timestamptz`)
  const board = sql`select id, xp, xp_reached_at, lower(username) as name from users where on_board`
  const order = sql`order by xp desc, xp_reached_at, lower(username) limit ${limit}::int`
  const next = after
    ? sql`select * from (
        (${board} and xp = ${after.xp}::int
          and (xp_reached_at, lower(username)) > (${after.reachedAt}::timestamptz, ${after.name}) ${order})
        union all
        (${board} and xp < ${after.xp}::int ${order})
      ) both_parts order by xp desc, xp_reached_at, name limit ${limit}::int`
    : sql`${board} ${order}`
  const [walked] = await db.execute<Walked>(sql`
    with slice as materialized (${next}), placed as materialized (
      select *, (${after?.rank ?? 0}::int + row_number() over (order by xp desc, xp_reached_at, name))::int as rank from slice
    ), written as (
      insert into movers (list, loss, fall, name, user_id, xp, rank, previous_rank)
      select ${list}, -gained, coalesce(placed.rank - before.rank, 2147483647), name, id, placed.xp, placed.rank, before.rank
      from placed cross join lateral (
        select sum(change)::int as gained from score_changes where user_id = placed.id and at >= ${start} and at < ${end}
      ) gains left join board_snapshots before on before.user_id = placed.id
        and before.day = (select max(day) from board_days where day <= ${since.toISOString().slice(0, 10)}::date)
      where gained > 0 and xp_reached_at >= ${start}
      -- A person whose rank fell during the scan appears twice.
      on conflict do nothing
    )
    select xp, xp_reached_at::text as "reachedAt", name, rank, (select count(*)::int from placed) as seen
    from placed order by rank desc limit 1`)
  return walked
}

export type Mark = { place: number; loss: number; fall: number; name: string }

/** The place `step` further down, or the last one. Undefined for an empty list. */
export async function placeAfter(
  db: Db,
  list: string,
  { from, step }: { from?: Mark; step: number },
): Promise<Mark | undefined> {
  const behind = from
    ? sql`and (loss, fall, name) >= (${from.loss}::int, ${from.fall}::int, ${from.name})`
    : sql``
  const [found] = await db.execute<Mark>(sql`
    with page as materialized (
      select loss, fall, name from movers where list = ${list} ${behind} order by loss, fall, name limit ${step + 1}::int
    )
    select loss, fall, name, (${from?.place ?? 0}::int + (select count(*) from page) - 1)::int as place
    from page order by loss desc, fall desc, name desc limit 1`)
  return found
}

/** Replaces the previous list and returns its id. */
export async function publishList(
  tx: Tx,
  { id, period }: Pick<MoverList, 'id' | 'period'>,
  total: number,
  marks: Mark[],
): Promise<string | undefined> {
  const [old] = await tx.delete(moverLists).where(isOf(period)).returning()
  await tx.update(moverLists).set({ total }).where(eq(moverLists.id, id))
  const column = (of: (mark: Mark) => number | string) => sql.param(marks.map(of))
  await tx.execute(sql`insert into mover_marks (list, place, loss, fall, name)
    select ${id}, * from unnest(${column(({ place }) => place)}::int[], ${column(({ loss }) => loss)}::int[],
      ${column(({ fall }) => fall)}::int[], ${column(({ name }) => name)}::text[])`)
  return old?.id
}

export async function withdrawList(db: Db, period: string): Promise<void> {
  const [old] = await db.delete(moverLists).where(isOf(period)).returning()
  if (old) await deleteMovers(db, old.id)
}

export const deleteMovers = (db: Db, list: string) =>
  deleteInSlices(db, movers, {
    old: eq(movers.list, list),
    by: [movers.loss, movers.fall, movers.name, movers.userId],
  })

/** Deletes lists of interrupted workers. */
export async function deleteUnfinished(db: Db, before: Date): Promise<void> {
  const left = await db
    .select()
    .from(moverLists)
    .where(and(isNull(moverLists.total), lt(moverLists.endsAt, before)))
  for (const { id } of left) {
    await deleteMovers(db, id)
    await db.delete(moverLists).where(eq(moverLists.id, id))
  }
}

/** A page of a list, without people who left the board since. */
export async function readListed(db: Db, list: MoverList, limit: number, offset: number): Promise<Mover[]> {
  const [start, end] = [list.startsAt, list.endsAt].map((at) => sql`${at.toISOString()}::timestamptz`)
  const rows = await db.execute<Mover>(sql`
    with mark as (
      select place, loss, fall, name from mover_marks where list = ${list.id} and place <= ${offset}::bigint
      order by place desc limit 1
    ), page as materialized (
      select * from movers where list = ${list.id}
        and (loss, fall, name) >= ((select loss from mark), (select fall from mark), (select name from mark))
      order by loss, fall, name limit ${limit}::int offset ${offset}::bigint - (select place from mark)
    )
    select u.id, u.username, u.name, u.avatar_url as "avatarUrl", page.xp as "currentXp", -loss as "xpGained",
      rank as "currentRank", previous_rank as "previousRank", u.created_at >= ${start} as "isNewUser", (
        select count(*)::int from badge_awards
        where user_id = u.id and group_id is null and not hidden and awarded_at >= ${start} and awarded_at < ${end}
      ) as "badgesEarned"
    from page join users u on u.id = user_id where u.on_board order by loss, fall, page.name`)
  return rows.map((row) => ({ ...row, avatarUrl: row.avatarUrl && shownAddress(row.avatarUrl) }))
}
