import { eq, lt, sql } from 'drizzle-orm'
import type { Db } from '@/db/client'
import { deleteInSlices } from '@/db/delete-in-slices'
import { boardDays, boardDrafts, boardSnapshots, scoreChanges } from '@/db/tables/boards'

/** When the first publicly visible user joined; null without any. */
export async function findFirstJoinDate(db: Db): Promise<Date | null> {
  const [row] = await db.execute<{ at: string | null }>(
    sql`select min(created_at) as at from users where is_public`,
  )
  return row?.at ? new Date(row.at) : null
}

export async function listWrittenDays(db: Db): Promise<Set<string>> {
  const rows = await db.execute<{ day: string }>(sql`select day::text from board_days`)
  return new Set(rows.map(({ day }) => day))
}

export const insertDay = (db: Db, day: string, takenAt: Date) =>
  db.insert(boardDays).values({ day, takenAt }).onConflictDoNothing()

/**
 * Reconstructs scores at a moment for the next visible users by id: a score that changed since is the value before its first later
 * change, any other is the current one. Locks no rows.
 */
export async function draftScores(
  db: Db,
  { run, moment, after, limit }: { run: string; moment: Date; after: string; limit: number },
): Promise<{ seen: number; last: string } | undefined> {
  const [walked] = await db.execute<{ seen: number; last: string }>(sql`
    with slice as materialized (
      select id, xp, xp_reached_at, is_public and show_on_leaderboard is not false as shown from users
      where id > ${after} order by id limit ${limit}::int
    ), drafted as (
      insert into board_drafts (run, below_zero, reached_at, user_id)
      select ${run}, -coalesce(c.xp, slice.xp),
        coalesce(case when c.id is null then slice.xp_reached_at else c.reached_before end, 'infinity'), slice.id
      from slice left join lateral (
        select id, xp - change as xp, reached_before from score_changes
        where user_id = slice.id and at >= ${moment.toISOString()}::timestamptz order by id limit 1
      ) c on true
      where shown and coalesce(c.xp, slice.xp) > 0
    )
    select row_number() over (order by id)::int as seen, id as last from slice order by id desc limit 1`)
  return walked
}

/** Without statistics on the new rows, PostgreSQL would sort all of them for each slice. */
export const analyzeDrafts = (db: Db) => db.execute(sql`analyze board_drafts`)

/** Position of the last ranked draft: negated score, time reached, and rank. */
export type Placed = { belowZero: number; reachedAt: string; rank: number }

export const TOP: Placed = { belowZero: -2_147_483_648, reachedAt: '-infinity', rank: 0 }

/** Ranks the next drafts. Ties of score and time are in one slice, sorted by username. */
export async function placeDrafts(
  db: Db,
  { run, day, after, limit }: { run: string; day: string; after: Placed; limit: number },
): Promise<Placed | undefined> {
  const [placed] = await db.execute<Placed>(sql`
    with slice as materialized (
      select below_zero, reached_at, user_id from board_drafts
      where run = ${run} and (below_zero, reached_at) > (${after.belowZero}::int, ${after.reachedAt}::timestamptz)
      order by below_zero, reached_at fetch first (${limit}::int) rows with ties
    ), ranked as (
      select user_id, below_zero, reached_at,
        ${after.rank}::int + row_number() over (order by below_zero, reached_at, lower(username)) as rank
      from slice join users on users.id = user_id
    ), written as (
      insert into board_snapshots (user_id, day, rank, xp)
      select user_id, ${day}::date, rank, -below_zero from ranked
      on conflict (user_id, day) do update set rank = excluded.rank, xp = excluded.xp
    )
    select below_zero as "belowZero", reached_at::text as "reachedAt",
      (select coalesce(max(rank), ${after.rank}::int) from ranked)::int as rank
    from slice order by below_zero desc, reached_at desc limit 1`)
  return placed
}

export const deleteDrafts = (db: Db, run: string) =>
  deleteInSlices(db, boardDrafts, {
    old: eq(boardDrafts.run, run),
    by: [boardDrafts.belowZero, boardDrafts.reachedAt, boardDrafts.userId],
  })

/** Run ids ascend with time. */
export const deleteDraftsBefore = (db: Db, run: string) =>
  deleteInSlices(db, boardDrafts, {
    old: lt(boardDrafts.run, run),
    by: [boardDrafts.run, boardDrafts.belowZero, boardDrafts.reachedAt, boardDrafts.userId],
  })

/** Deletes the day after its board rows, so that the next sweep resumes an interrupted deletion. */
export async function deleteDaysBefore(db: Db, day: string): Promise<void> {
  for (const old of (await listWrittenDays(db)).values().filter((written) => written < day))
    await deleteInSlices(db, boardSnapshots, {
      old: eq(boardSnapshots.day, old),
      by: [boardSnapshots.userId],
    })
  await deleteInSlices(db, boardDays, { old: lt(boardDays.day, day), by: [boardDays.day] })
}

export const deleteChangesBefore = (db: Db, moment: Date) =>
  deleteInSlices(db, scoreChanges, {
    old: lt(scoreChanges.at, moment),
    by: [scoreChanges.at, scoreChanges.userId, scoreChanges.id],
  })
