import { sql } from 'drizzle-orm'
import { shownAddress } from '@/core/own-addresses'
import type { Db } from '@/db/client'

export type BoardRow = {
  id: string
  username: string
  name: string
  avatarUrl: string | null
  score: number
  badgeCount: number
}

export type BoardPage = { total: number; rows: BoardRow[] }

/** An empty page still has one row, with the total. */
type Row<T> = { total: number } & (T | { id: null })

const peopleIn = <T extends { id: string; avatarUrl: string | null }>(rows: Iterable<Row<T>>): T[] =>
  [...rows]
    .filter((row): row is { total: number } & T => row.id !== null)
    .map((row) => ({ ...row, avatarUrl: row.avatarUrl && shownAddress(row.avatarUrl) }))

/**
 * A page of the global board. The tally gives the score at which the page starts, and the index when its first person reached it:
 * so deep pages neither walk the board nor visit everyone with a common score.
 */
export async function readBoard(db: Db, limit: number, offset: number): Promise<BoardPage> {
  const board = sql`select id, username, name, avatar_url as "avatarUrl", xp as score, badge_count as "badgeCount",
    xp_reached_at as reached_at from users where on_board`
  const order = sql`order by xp desc, xp_reached_at, lower(username)`
  const rows = await db.execute<Row<BoardRow>>(sql`
    with scores as (
      select xp, sum(people) as people, sum(sum(people)) over (order by xp desc) as upto
      from board_tally group by xp having sum(people) <> 0
    ), first as (
      select xp, ${offset}::bigint - (upto - people) as skip from scores where upto > ${offset}::bigint
      order by xp desc limit 1
    ), since as (
      select xp_reached_at as at from users where on_board and xp = (select xp from first)
      order by xp_reached_at limit 1 offset (select skip from first)
    ), earlier as (
      select count(*) as people from users
      where on_board and xp = (select xp from first) and xp_reached_at < (select at from since)
    )
    select total, page.* from (select coalesce(max(upto), 0)::int as total from scores) counted left join (
      (${board} and xp = (select xp from first) and xp_reached_at >= (select at from since)
        ${order} limit ${limit}::int offset (select skip from first) - (select people from earlier))
      union all
      (${board} and xp < (select xp from first) ${order} limit ${limit}::int)
    ) page on true
    order by score desc, reached_at, lower(username) limit ${limit}::int`)
  return { total: rows[0]?.total ?? 0, rows: peopleIn(rows) }
}

/** A person's rank without reading the ranks above. Undefined if they are not on the board. */
export async function findPlace(
  db: Db,
  userId: string,
): Promise<{ rank: number; score: number } | undefined> {
  const [found] = await db.execute<{ rank: number; score: number }>(sql`
    select own.xp as score, (1 + (select coalesce(sum(people), 0) from board_tally where xp > own.xp)
      + (select count(*) from users other where on_board and other.xp = own.xp and
        (other.xp_reached_at, lower(other.username)) < (own.xp_reached_at, lower(own.username))))::int as rank
    from users own where own.id = ${userId} and own.on_board`)
  return found
}

export type BoardGroup = { id: string; name: string; urlname: string; photoUrl: string | null }

/** By XP earned in the group. Null if the group does not exist. */
export async function readGroupBoard(
  db: Db,
  groupId: string,
  limit: number,
  offset: number,
): Promise<(BoardPage & { group: BoardGroup }) | null> {
  const rows = await db.execute<Row<BoardRow> & { group: BoardGroup }>(sql`
    with board as (
      select u.id, u.username, u.name, u.avatar_url as "avatarUrl", s.xp as score, s.badge_count as "badgeCount",
        row_number() over (order by s.xp desc, s.reached_at, lower(u.username)) as place
      from group_scores s join users u on u.id = s.user_id
      where s.group_id = ${groupId} and s.xp > 0 and u.is_public and u.show_on_leaderboard is not false
    )
    select (select count(*)::int from board) as total,
      jsonb_build_object('id', g.id, 'name', g.name, 'urlname', g.urlname, 'photoUrl', g.photo_url) as "group",
      page.*
    from groups g left join (
      select * from board where place > ${offset}::bigint and place <= ${offset + limit}::bigint
    ) page on true
    where g.id = ${groupId} order by page.place`)
  const [first] = rows
  if (!first) return null
  const group = { ...first.group, photoUrl: first.group.photoUrl && shownAddress(first.group.photoUrl) }
  return { total: first.total, group, rows: peopleIn(rows) }
}

export type Mover = {
  id: string
  username: string
  name: string
  avatarUrl: string | null
  currentXp: number
  xpGained: number
  currentRank: number
  previousRank: number | null
  badgesEarned: number
  isNewUser: boolean
}

/**
 * People who gained XP since a moment, with their rank now and in the last snapshot before it. A mover reached their score after
 * that moment, as did everyone behind them with the same score: the tally counts all at or above that score, and those few are
 * subtracted. The cost depends on the changes, not on the size of the board. Previous ranks are looked up only for gains large
 * enough to reach the page.
 */
export async function readMovers(
  db: Db,
  since: Date,
  limit: number,
  offset: number,
): Promise<{ total: number; movers: Mover[] }> {
  const start = sql`${since.toISOString()}::timestamptz`
  const last = sql`${offset + limit}::bigint`
  const rows = await db.execute<Row<Mover>>(sql`
    with gains as (
      select user_id, sum(change)::int as gained from score_changes where at >= ${start}
      group by user_id having sum(change) > 0
    ), scores as (
      select xp, sum(sum(people)) over (order by xp desc) as upto from board_tally group by xp
    ), standing as (
      select id, username, name, avatar_url, created_at, xp, count(*) over (
        partition by xp order by xp_reached_at desc, lower(username) desc rows unbounded preceding) - 1 as behind
      from users where on_board and xp_reached_at >= ${start}
    ), movers as (
      select standing.*, gained, (upto - behind)::int as rank,
        rank() over (order by gained desc) as best, count(*) over (partition by gained) as equals
      from gains join standing on standing.id = gains.user_id join scores using (xp)
    ), near as materialized (
      select *, (
        select rank from board_snapshots where user_id = movers.id
          and day = (select max(day) from board_days where day <= ${since.toISOString().slice(0, 10)}::date)
      ) as previous
      from movers where best <= ${last} and best + equals > ${offset}::bigint + 1
    ), placed as (
      select *, best - 1 + row_number() over (
        partition by gained order by previous - rank desc nulls last, lower(username)) as place
      from near
    )
    select (select count(*)::int from movers) as total, page.*
    from (select 1) one left join (
      select id, username, name, avatar_url as "avatarUrl", xp as "currentXp", gained as "xpGained",
        rank as "currentRank", previous as "previousRank", created_at >= ${start} as "isNewUser", (
          select count(*)::int from badge_awards
          where user_id = placed.id and group_id is null and not hidden and awarded_at >= ${start}
        ) as "badgesEarned", place
      from placed where place > ${offset}::bigint and place <= ${last}
    ) page on true
    order by page.place`)
  return { total: rows[0]?.total ?? 0, movers: peopleIn(rows) }
}
