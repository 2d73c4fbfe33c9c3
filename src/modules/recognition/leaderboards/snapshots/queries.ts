import { eq, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '@/db/client'
import { deleteInSlices } from '@/db/delete-in-slices'
import { boardDays, boardSnapshots, scoreChanges } from '@/db/tables/boards'

/** When the first of today's people joined; null without any. */
export async function findFirstArrival(db: Db): Promise<Date | null> {
  const [row] = await db.execute<{ at: string | null }>(sql`select min(created_at) as at from users`)
  return row?.at ? new Date(row.at) : null
}

export async function listWrittenDays(db: Db): Promise<Set<string>> {
  const rows = await db.execute<{ day: string }>(sql`select day::text from board_days`)
  return new Set(rows.map(({ day }) => day))
}

/**
 * Takes the lock under which a day's snapshot is written, until the transaction ends. False when another process has
 * it.
 */
export async function takePen(tx: Tx, day: string): Promise<boolean> {
  const [row] = await tx.execute<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`board of ${day}`}, 0)) as taken`,
  )
  return row?.taken ?? false
}

/** False when the day has its snapshot already. */
export async function insertDay(tx: Tx, day: string, takenAt: Date): Promise<boolean> {
  const rows = await tx.execute(sql`
    insert into board_days (day, taken_at) values (${day}::date, ${takenAt.toISOString()}::timestamptz)
    on conflict do nothing returning day`)
  return rows.length > 0
}

/**
 * Draws the board of a moment, of the people who may be on one now. A score that has changed since then is the one
 * before the first of those changes; every other is the present one. No row is locked.
 */
export async function drawBoard(tx: Tx, moment: Date): Promise<void> {
  await tx.execute(
    sql`create temp table drawn_board (rank int primary key, user_id uuid, xp int) on commit drop`,
  )
  await tx.execute(sql`
    insert into drawn_board (rank, user_id, xp)
    select row_number() over (order by xp desc, reached_at, lower(username)), id, xp
    from (
      select u.id, u.username, coalesce(c.xp, u.xp) as xp,
        case when c.user_id is null then u.xp_reached_at else c.reached_before end as reached_at
      from users u left join (
        select distinct on (user_id) user_id, xp - change as xp, reached_before
        from score_changes where at >= ${moment.toISOString()}::timestamptz order by user_id, id
      ) c on c.user_id = u.id
      where u.is_public and u.show_on_leaderboard is not false
    ) then_and_there
    where xp > 0`)
}

/** Copies a portion of the drawn board, so that no statement takes long. Gives its number of rows. */
export async function copyDrawn(tx: Tx, day: string, afterRank: number, limit: number): Promise<number> {
  const rows = await tx.execute<{ copied: number }>(sql`
    with copied as (
      insert into board_snapshots (user_id, day, rank, xp)
      select user_id, ${day}::date, rank, xp from drawn_board
      where rank > ${afterRank} and rank <= ${afterRank + limit} returning 1
    ) select count(*)::int as copied from copied`)
  return rows[0]?.copied ?? 0
}

/**
 * A day is deleted after its board: an interrupted deletion is continued by the next sweep, and nobody asks for the day
 * any more.
 */
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
