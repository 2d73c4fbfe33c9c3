import { sql } from 'drizzle-orm'
import type { Db } from './client'

/**
 * Puts the rows of each count together. Whoever counts meanwhile sees the rows before or after, never both. What a
 * badge that is gone has left behind goes too.
 */
export async function compactTallies(db: Db): Promise<void> {
  await db.execute(sql`
    with taken as (delete from people_tally returning people)
    insert into people_tally (people) select sum(people) from taken having sum(people) <> 0`)
  await db.execute(sql`
    with taken as (delete from board_tally returning xp, people)
    insert into board_tally (xp, people) select xp, sum(people) from taken group by xp having sum(people) <> 0`)
  await db.execute(sql`
    with taken as (delete from badge_tally returning badge_id, holders, public_holders)
    insert into badge_tally (badge_id, holders, public_holders)
    select badge_id, sum(holders), sum(public_holders) from taken
    where exists (select 1 from badges where id = badge_id) group by badge_id
    having sum(holders) <> 0 or sum(public_holders) <> 0`)
}
