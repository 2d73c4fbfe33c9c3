/** Runs one statement and gives its rows. */
type Ask = (statement: string) => Promise<Iterable<Record<string, unknown>>>

const PUBLIC = "u.profile_visibility = 'public' and u.suspended_at is null and u.username is not null"

/** What is kept step by step, against the same added up anew from who holds what. Each gives the rows that differ. */
const DIFFERENCES = {
  scores: `
    select u.id, u.xp, u.badge_count, held.xp as held_xp, held.badges from users u left join (
      select a.user_id, sum(b.points) as xp, count(*) as badges from badge_awards a join badges b on b.id = a.badge_id
      where b.group_id is null and not b.hidden group by a.user_id
    ) held on held.user_id = u.id
    where (u.xp <> coalesce(held.xp, 0) or u.badge_count <> coalesce(held.badges, 0))`,
  log: `
    select u.id, u.xp, last.xp as logged from users u join lateral (
      select c.xp, c.at, (select sum(change) from score_changes where user_id = u.id) as sum from score_changes c
      where c.user_id = u.id order by c.id desc limit 1
    ) last on true
    where (last.xp <> u.xp or last.sum <> u.xp or last.at <> u.xp_reached_at)`,
  groupScores: `
    select * from group_scores s full join (
      select b.group_id, a.user_id, sum(b.points) as xp, count(*) as badges
      from badge_awards a join badges b on b.id = a.badge_id where b.group_id is not null group by 1, 2
    ) held on held.group_id = s.group_id and held.user_id = s.user_id
    where s.xp is distinct from held.xp or s.badge_count is distinct from held.badges`,
  copies: `
    select a.id from badge_awards a join badges b on b.id = a.badge_id join users u on u.id = a.user_id
    where a.points <> b.points or a.hidden <> b.hidden or a.group_id is distinct from b.group_id or a.is_public <> (${PUBLIC})`,
  holders: `
    select b.id, counted.*, held.* from badges b
      left join (select badge_id, sum(holders) as holders, sum(public_holders) as shown from badge_tally group by 1) counted
        on counted.badge_id = b.id
      left join (
        select a.badge_id, count(*) as holders, count(*) filter (where ${PUBLIC}) as shown
        from badge_awards a join users u on u.id = a.user_id group by 1
      ) held on held.badge_id = b.id
    where coalesce(counted.holders, 0) <> coalesce(held.holders, 0)
      or coalesce(counted.shown, 0) <> coalesce(held.shown, 0)`,
  board: `
    select * from (select xp, sum(people) as people from board_tally group by xp having sum(people) <> 0) counted
      full join (
        select xp, count(*) as people from users u
        where ${PUBLIC} and coalesce(u.show_on_leaderboard, true) and xp > 0 group by xp
      ) there using (xp)
    where counted.people is distinct from there.people`,
  people: `
    select * from (select coalesce(sum(people), 0) as people from people_tally) counted,
      (select count(*) as people from users u where ${PUBLIC}) there
    where counted.people <> there.people`,
}

/** Nothing when everything adds up. Of people only those who are named, where some came by their score in another way. */
export async function differences(ask: Ask, ids?: string[]): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const [name, statement] of Object.entries(DIFFERENCES)) {
    const only = ids && ['scores', 'log'].includes(name) ? ` and u.id in ('${ids.join("','")}')` : ''
    const rows = [...(await ask(statement + only))]
    if (rows.length > 0) found[name] = rows
  }
  return found
}
