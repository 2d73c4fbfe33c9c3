import type postgres from 'postgres'

const BADGES = 40
/** As many move in a dataset of ten thousand as in one of a million: what they cost is not what the others cost. */
const MOVERS = 2000

/** Who holds which of the badges: everyone one, every third person two, spread the same way in any dataset. */
export async function giveBadges(sql: postgres.Sql, people: number): Promise<void> {
  await sql`
    insert into badges (id, name, slug, icon, color, points)
    select gen_random_uuid(), 'Badge ' || n, 'bench-badge-' || n, '⭐', '#0ea5e9', 5 * (1 + n * n % 97)
    from generate_series(0, ${BADGES - 1}) n`
  await sql`
    create temp table held as
    select n, place, badge.id as badge_id, badge.points,
      n % ${Math.ceil(people / MOVERS)} = 0 and place = last as lately,
      case when n % ${Math.ceil(people / MOVERS)} = 0 and place = last
        then now() - n % 10000 * interval '1 minute' else now() - interval '60 days' - n * interval '1 minute'
      end as at
    from (
      select n, dice % ${BADGES} as first, (dice + case dice % 3 when 0 then 7 else 0 end) % ${BADGES} as last
      from generate_series(1, ${people}) n cross join lateral (select abs(hashint4(n) % 1000003)) thrown(dice)
    ) person
      cross join lateral (select first as place union select last) holding
      join (select id, points, substr(slug, 13)::int as number from badges where slug like 'bench-badge-%') badge
        on badge.number = place`
  await sql`
    create temp table score as
    select n, sum(points)::int as xp, count(*)::int as badges, max(at) as reached_at from held group by n`
  await sql`analyze held, score`
}

/** Writes down who has been awarded what, once the people are there: `person` tells their ids. */
export async function writeAwards(sql: postgres.Sql): Promise<void> {
  // The scores are written already, so the triggers that would keep them stand aside.
  await sql`set session_replication_role = replica`
  await sql`
    insert into badge_awards (id, badge_id, user_id, points, is_public, source, awarded_at)
    select gen_random_uuid(), badge_id, person.id, points, true, 'admin', at from held join person using (n)`
  await sql`
    insert into badge_tally (badge_id, holders, public_holders)
    select badge_id, count(*), count(*) from held group by badge_id`
  await sql`
    insert into score_changes (user_id, at, change, xp, reached_before)
    select person.id, at, points, xp, case when badges > 1 then now() - interval '60 days' end
    from held join score using (n) join person using (n) where lately order by at`
  await sql`insert into board_days (day, taken_at) select current_date - 7, now()`
  await sql`
    insert into board_snapshots (user_id, day, rank, xp)
    select person.id, current_date - 7, row_number() over (order by score.xp - coalesce(points, 0) desc, reached_at, score.n),
      score.xp - coalesce(points, 0)
    from score join person using (n) left join held on held.n = score.n and lately
    where score.xp > coalesce(points, 0)`
  await sql`set session_replication_role = default`
}
