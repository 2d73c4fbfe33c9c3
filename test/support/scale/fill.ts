import type postgres from 'postgres'

/** How many rows a community of that many people has: the proportions of a large one. */
export const sizesOf = (people: number) => ({
  people,
  groups: Math.max(20, Math.round(people / 1000)),
  events: Math.round(people / 10),
  rsvps: people * 5,
  awards: people * 2,
  /** Of the things that have more of everything than all others. */
  followersOfStar: Math.round(people / 5),
  holdersOfBadge: Math.round(people / 50),
  guestsOfEvent: Math.round(people / 20),
})

const BADGES = 200
const GIVEN = [
  'Ada',
  'Grace',
  'Mai',
  'Nadia',
  'Łukasz',
  'Jürgen',
  'Анна',
  'Дмитрий',
  '美咲',
  '陈伟',
  'يوسف',
  'שרה',
  'Ελένη',
  'Ngọc',
  'Óscar',
  '지우',
]

/**
 * Fills a migrated database straight in SQL. Triggers are off: the counts that they keep are written as they would
 * leave them. Everyone gained points in the last month.
 */
export async function fillCommunity(sql: postgres.Sql, people: number): Promise<void> {
  const size = sizesOf(people)
  await sql`set session_replication_role = replica`
  await sql`set synchronous_commit = off`
  await sql`set work_mem = '256MB'`
  const indexes = await dropIndexes(sql)
  await sql`
    create temp table person as
    select n, uuidv7(-(${people} - n) * interval '1 minute') as id, now() - (${people} - n) * interval '1 minute' as at,
      n % 50 <> 7 as shown from generate_series(1, ${people}) n`
  await sql`create unique index on person (n)`
  await sql`analyze person`
  await fillBadges(sql, size)
  await sql`
    insert into users (id, name, username, email, bio, location, created_at, updated_at, profile_visibility, xp, badge_count,
      xp_reached_at, follower_count, following_count, last_login_at)
    select id, (${GIVEN}::text[])[1 + n % ${GIVEN.length}] || ' ' || initcap(translate(md5(n::text), '0123456789', 'ghijklmnop')),
      'member-' || n, 'member-' || n || '@example.org', 'Lives here and likes it.', 'Old Town', at, at,
      case when shown then 'public' else 'private' end, coalesce(xp, 0), coalesce(badges, 0), reached_at,
      case when n = 1 then ${size.followersOfStar}::int else 1 end, 1, now()
    from person left join score using (n) order by n`
  await fillScores(sql)
  await fillGroups(sql, size)
  await fillEvents(sql, size)
  await sql`analyze`
  await fillAround(sql, size)
  for (const { definition } of indexes) await sql.unsafe(definition)
  await sql`set session_replication_role = default`
  await sql`vacuum analyze`
}

/** Built afterwards in a fraction of the time. Those of constraints stay. */
async function dropIndexes(sql: postgres.Sql) {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid::regclass in ('users', 'events', 'rsvps', 'badge_awards', 'score_changes', 'favorites', 'follows', 'mails', 'outbox', 'uploads')
      and not exists (select from pg_constraint where conindid = indexrelid)`
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  return indexes
}

async function fillBadges(sql: postgres.Sql, { people, awards, holdersOfBadge, groups }: Sizes) {
  await sql`
    insert into badges (id, group_id, name, slug, icon, color, points, sort_order, hidden)
    select uuidv7(), null, 'Badge ' || n, 'badge-' || n, '⭐', '#0ea5e9', 5 * (1 + n * n % 97), n, n % 40 = 39
    from generate_series(1, ${BADGES}) n`
  await sql`
    create temp table group_of as
    select n, uuidv7(-n * interval '1 hour') as id from generate_series(1, ${groups}) n`
  await sql`
    insert into badges (id, group_id, name, slug, icon, color, points, sort_order)
    select uuidv7(), id, 'Group badge ' || n, 'group-badge-' || n, '🎉', '#0ea5e9', 5 + n % 40, n from group_of`
  // One badge has many holders; the others share the rest. One award in ten is of a group.
  await sql`
    create temp table held as
    select distinct on (n, b.id) n, b.id as badge_id, b.group_id, b.points, b.hidden,
      now() - case when k = 0 then (n % 29) * interval '1 day' + (n % 1440) * interval '1 minute'
        else interval '40 days' + (n % 500) * interval '1 day' end as at
    from generate_series(1, ${people}) n cross join generate_series(0, ${Math.round(awards / people) - 1}) k
      cross join lateral (select abs(hashint8(n::bigint * 7 + k)) as dice) d
      join lateral (
        select case when k = 1 and n <= ${holdersOfBadge} then 'badge-1' when dice % 10 = 3 then 'group-badge-' || 1 + dice % ${groups}
          else 'badge-' || 2 + dice % ${BADGES - 1} end as slug) chosen on true
      join badges b using (slug)`
  await sql`
    create temp table score as
    select n, sum(points)::int as xp, count(*)::int as badges, max(at) as reached_at from held
    where group_id is null and not hidden group by n`
  await sql`analyze held, score`
}

async function fillScores(sql: postgres.Sql) {
  await sql`
    insert into badge_awards (id, badge_id, user_id, group_id, points, is_public, source, awarded_at, hidden)
    select uuidv7(held.at - now()), badge_id, person.id, group_id, points, shown, 'admin', held.at, hidden
    from held join person using (n)`
  await sql`
    insert into badge_tally (badge_id, holders, public_holders)
    select badge_id, count(*), count(*) filter (where is_public) from badge_awards group by badge_id`
  await sql`
    insert into group_scores (group_id, user_id, xp, badge_count, reached_at)
    select group_id, user_id, sum(points), count(*), max(awarded_at) from badge_awards where group_id is not null group by 1, 2`
  await sql`insert into people_tally (people) select count(*) from users where is_public`
  await sql`insert into board_tally (xp, people) select xp, count(*) from users where on_board group by xp`
  await sql`
    insert into score_changes (user_id, at, change, xp, reached_before)
    select person.id, held.at, points, xp, now() - interval '60 days'
    from held join score using (n) join person using (n)
    where group_id is null and not hidden and held.at > now() - interval '30 days' order by held.at`
  await sql`
    insert into board_days (day, taken_at) select current_date - ago, now() from generate_series(0, 33) ago where ago <> 1`
  await sql`
    insert into board_snapshots (user_id, day, rank, xp)
    select id, current_date - ago, row_number() over (partition by ago order by xp desc, id), xp
    from users cross join unnest(array[0, 7, 30]) ago where on_board`
}

async function fillGroups(sql: postgres.Sql, { people, followersOfStar }: Sizes) {
  await sql`
    insert into groups (id, urlname, name, description, tags, is_listed, favorites_count, created_at)
    select id, 'group-' || n, 'Group ' || n || ' of ' || initcap(translate(md5(n::text), '0123456789', 'ghijklmnop')), 'We meet on Tuesdays.',
      array['talks', 'tag-' || n % 50], n % 20 <> 19, 0, now() - n * interval '1 hour' from group_of`
  const [{ groups } = { groups: 1 }] = await sql`select count(*)::int as groups from group_of`
  await sql`
    insert into group_members (id, group_id, user_id, role, created_at)
    select uuidv7(), g.id, p.id, case m when 0 then 'owner' when 1 then 'manager' else 'volunteer' end, now() - m * interval '1 day'
    from group_of g cross join generate_series(0, 4) m join person p on p.n = 1 + (g.n * 5 + m) % ${people}`
  await sql`
    insert into favorites (user_id, group_id, created_at)
    select p.id, g.id, now() - p.n * interval '1 second' from person p join group_of g on g.n = 1 where p.n <= ${followersOfStar}
    union all
    select p.id, g.id, now() - p.n * interval '1 second' from person p join group_of g on g.n = 2 + p.n % ${groups - 1}`
  await sql`
    update groups set favorites_count = fans from (select group_id, count(*) as fans from favorites group by 1) f
    where f.group_id = id`
}

async function fillEvents(sql: postgres.Sql, { people, events, rsvps, guestsOfEvent }: Sizes) {
  const [{ groups } = { groups: 1 }] = await sql`select count(*)::int as groups from group_of`
  // Two in three are over. The first has many guests, a full house and as many who wait.
  await sql`
    create temp table event_of as
    select e.n, uuidv7(-e.n * interval '1 minute') as id, g.id as group_id,
      date_trunc('minute', now()) + (${events} / 3 - e.n) * interval '20 minutes' + interval '3 days' as at
    from generate_series(1, ${events}) e (n)
      join group_of g on g.n = case when e.n % 100 = 0 or e.n = 1 then 1 else 1 + e.n % ${groups} end`
  await sql`create unique index on event_of (n)`
  await sql`analyze event_of, group_of`
  await sql`
    insert into events (id, group_id, title, description, start_time, end_time, over_at, timezone, status, published_at, tags,
      venue_name, venue_city, venue_country, max_attendees, confirmed_count, waitlist_tail, created_at)
    select id, group_id, 'Event ' || n || ' about ' || initcap(translate(md5(n::text), '0123456789', 'ghijklmnop')), 'Bring a chair.', at,
      at + interval '2 hours', at + interval '2 hours', 'Europe/Berlin',
      case when n % 50 = 49 then 'draft' when n % 50 = 48 then 'cancelled' else 'published' end, now() - n * interval '1 minute',
      array['talks', 'tag-' || n % 50], 'Hall ' || n % 40, (array['Berlin', 'Kyiv', 'Lagos', 'Osaka'])[1 + n % 4], 'DE',
      case when n = 1 then ${guestsOfEvent}::int end, 0, 0, now() - n * interval '1 minute' from event_of`
  await sql`
    insert into rsvps (id, event_id, user_id, status, rsvp_at, waitlist_number, changed_at)
    select uuidv7(-p.n * interval '1 second'), e.id, p.id, case when p.n <= ${guestsOfEvent} then 'confirmed' else 'waitlisted' end,
      now() - p.n * interval '1 second', case when p.n > ${guestsOfEvent} then p.n - ${guestsOfEvent} end, now()
    from person p join event_of e on e.n = 1 where p.n <= ${guestsOfEvent * 2}
    union all
    select uuidv7(-p.n * interval '1 second'), e.id, p.id, 'confirmed', now() - p.n * interval '1 second', null, now()
    from person p cross join generate_series(0, ${Math.round(rsvps / people) - 1}) k
      join event_of e on e.n = 2 + (p.n::bigint * 31 + k * 7919) % ${events - 1}`
  await sql`
    update events set confirmed_count = confirmed, waitlist_tail = waiting from (
      select event_id, count(*) filter (where status = 'confirmed') as confirmed, count(*) filter (where status = 'waitlisted') as waiting
      from rsvps group by 1) r where r.event_id = id`
  await sql`
    insert into checkins (id, event_id, user_id, method, checked_in_at)
    select uuidv7(), event_id, user_id, 'qr', start_time from rsvps join events on events.id = event_id
    where rsvps.status = 'confirmed' and over_at < now() and abs(hashtext(user_id::text)) % 3 = 0`
}

async function fillAround(sql: postgres.Sql, { people, followersOfStar }: Sizes) {
  await sql`
    insert into follows (follower_id, followee_id, created_at, follower_counts)
    select p.id, star.id, now() - p.n * interval '1 second', p.shown from person p join person star on star.n = 1
    where p.n between 2 and ${followersOfStar}
    union all
    select p.id, other.id, p.at, p.shown from person p join person other on other.n = 2 + p.n % ${people - 1}
    where p.id <> other.id and p.n > 2`
  await sql`
    insert into passes (id, type, owner_id, claimed_at)
    select translate(lpad(to_hex(n), 16, '0'), '0123456789abcdef', '23456789abcdefgh'), 'qrcode', id, now() from person`
  await sql`
    insert into connections (id, owner_id, visitor_id, created_at)
    select uuidv7(), p.id, other.id, now() - p.n * interval '1 second'
    from person p join person other on other.n = 1 + (p.n + 17) % ${people} where p.n % 2 = 0`
  await sql`
    insert into outbox (id, type, payload, created_at, relayed_at)
    select uuidv7(-n * interval '1 second'), 'rsvp.confirmed',
      jsonb_build_object('rsvpId', uuidv7(), 'eventId', uuidv7(), 'userId', p.id, 'groupId', uuidv7()), now() - n * interval '1 second', now()
    from person p`
  await sql`
    insert into reactions (fact_id, listener, status)
    select id, 'webhooks', 'done' from outbox`
  await sql`
    insert into mails (id, user_id, letter, fact, urgency, created_at, due_at, expires_at, finished_at, outcome)
    select uuidv7(), id, 'rsvp-confirmed', n::text, 1, now(), now(), now() + interval '1 day', now() - n * interval '1 second', 'sent' from person p`
  await sql`
    insert into audit_log (id, at, actor_id, action, target_type, target_id, changes, request_id)
    select uuidv7(), now() - n * interval '1 minute', id, 'user.role', 'user', id::text, '{}', 'filled' from person where n % 10 = 0`
  await sql`
    insert into sessions (id, user_id, hash, last_seen_at, expires_at)
    select uuidv7(), id, sha256(id::text::bytea), now() - n * interval '1 second', now() + interval '20 days' from person`
  await sql`
    insert into identities (id, user_id, provider, subject, email)
    select uuidv7(), id, 'github', n::text, 'member-' || n || '@example.org' from person where n % 3 = 0`
  await sql`
    insert into portfolio_items (id, user_id, title) select uuidv7(), id, 'Thing ' || n from person where n % 3 = 0`
  await sql`
    insert into feed_versions (key, etag) select sha256(id::text::bytea), n::text from person where n % 3 = 0`
  await sql`
    insert into uploads (id, key, owner_id, maker, category, filename, content_type, declared_size, state, file, size, sha256, expires_at,
      created_at, changed_at)
    select uuidv7(), 'avatar/' || n, id, 'person', 'avatar', 'me.jpg', 'image/jpeg', 1000, 'ready', gen_random_uuid(), 1000, md5(n::text),
      now(), now(), now() from person where n % 3 = 0`
  await sql`
    insert into achievement_progress (user_id, achievement_key, current_value, completed_at)
    select p.id, key, 1, case when p.n % 3 = 0 then now() end from person p cross join (select key from achievements limit 2) a`
}

type Sizes = ReturnType<typeof sizesOf>
