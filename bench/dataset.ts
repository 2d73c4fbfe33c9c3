import postgres from 'postgres'
import { DIGITS, PASSES } from './crowd'
import { giveBadges, writeAwards } from './scores'

export type Dataset = { people: number; events: number }

/** A thing of each kind that rows ask for by name. */
export const NAMED = { username: 'bench-person-1', urlname: 'bench-group-1' }

const GUESTS = 60

/** Fills a database with as many people and events as are asked for, fast: straight in SQL. */
export async function fillDataset(databaseUrl: string, { people, events }: Dataset) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  await sql`set synchronous_commit = off`
  await giveBadges(sql, people)
  await sql`create temp table person as select gen_random_uuid() as id, n from generate_series(1, ${people}) n`
  await sql`
    insert into users (id, name, username, bio, location, created_at, xp, badge_count, xp_reached_at)
    select id, 'Person ' || md5(n::text), 'bench-person-' || n, 'Lives here and likes it.', 'Old Town',
      now() - n * interval '1 minute', xp, badges, reached_at
    from person join score using (n) order by n`
  await writeAwards(sql)
  await sql`
    insert into groups (id, urlname, name, description, tags)
    select gen_random_uuid(), 'bench-group-' || n, 'Group ' || n, 'We meet on Tuesdays.', array['talks']
    from generate_series(1, 200) n`
  // One event in two is over; the others are spread over the coming years.
  await sql`
    insert into events (id, group_id, title, description, start_time, end_time, over_at, timezone, status, published_at, tags)
    select gen_random_uuid(), g.id, 'Event ' || n, 'Bring a chair.', s.at, s.at + interval '2 hours', s.at + interval '2 hours',
      'Europe/Berlin', 'published', now(), array['talks']
    from generate_series(1, ${events}) n
      join (select id, row_number() over (order by urlname) - 1 as place from groups) g on g.place = n % 200
      cross join lateral (select now() + (n - ${events} / 2) * interval '5 minutes' as at) s`
  const [next] = await sql`
    select events.id from events join groups on groups.id = group_id
    where urlname = ${NAMED.urlname} and start_time > now() order by start_time limit 1`
  const eventId = next?.id as string
  await sql`
    insert into rsvps (id, event_id, user_id, status)
    select gen_random_uuid(), ${eventId}, id, 'confirmed' from person where n <= ${GUESTS}`
  await sql`
    insert into passes (id, type, owner_id, claimed_at)
    select translate(lpad(to_hex(n - 1), 16, '0'), ${DIGITS.hex}, ${DIGITS.id}), 'qrcode', id, now()
    from person where n <= ${PASSES}`
  // As autovacuum leaves it: what has just been written in one go is unlike any table in use.
  await sql`vacuum analyze`
  await sql.end()
  return { eventId }
}
