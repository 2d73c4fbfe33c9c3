import { join } from 'node:path'
import postgres from 'postgres'
import { hashSecret } from '../src/auth/secrets'
import { checkedSecret } from '../src/core/codes'
import { askFor, compareWrites, runPgbench, type Write } from './pgbench'
import { type Surroundings, startServer } from './server'

const PEOPLE = 30_000

/** RSVPs of different people to one open event, against pgbench sending the same statements. */
export async function measureRsvps(surroundings: Surroundings): Promise<Write> {
  const { databaseUrl, folder } = surroundings
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  const tokens = await seedGuests(sql)
  const server = await startServer(surroundings)
  const found = await compareWrites({
    pgbench: async () => runPgbench(databaseUrl, await writeScript(folder, await newEvent(sql))),
    ours: async () => rsvps(server.url, await newEvent(sql), tokens),
  })
  await server.stop()
  await sql.end()
  return found
}

async function seedGuests(sql: postgres.Sql): Promise<string[]> {
  const tokens = Array.from({ length: PEOPLE }, () => checkedSecret('fm_pat_'))
  await sql`create table bench_guests (n int primary key, id uuid not null, hash bytea)`
  await sql`insert into bench_guests select n, gen_random_uuid() from generate_series(1, ${PEOPLE}) n`
  await sql`insert into users (id, name) select id, 'Guest' from bench_guests`
  for (let from = 0; from < PEOPLE; from += 5000) {
    const hashes = tokens
      .slice(from, from + 5000)
      .map((token) => Buffer.from(hashSecret(token)).toString('hex'))
    await sql`insert into personal_tokens (id, user_id, name, hash, prefix, scopes)
      select gen_random_uuid(), g.id, 'bench', decode(h.hash, 'hex'), 'fm_pat_', array['write:events']
      from unnest(${hashes}::text[]) with ordinality h(hash, n) join bench_guests g on g.n = h.n + ${from}`
  }
  await sql`update bench_guests g set hash = t.hash from personal_tokens t where t.user_id = g.id`
  return tokens
}

async function newEvent(sql: postgres.Sql): Promise<string> {
  const [row] = await sql`insert into events (id, group_id, title, start_time, over_at, timezone, status)
    select gen_random_uuid(), id, 'Open', now() + interval '1 day', now() + interval '1 day 3 hours', 'UTC', 'published'
    from groups limit 1 returning id`
  return String(row?.id)
}

/** What an RSVP of somebody who was not here yet sends: who is this, hold the event, sit down, tell. */
async function writeScript(folder: string, eventId: string): Promise<string> {
  const file = join(folder, 'rsvp.sql')
  await Bun.write(
    file,
    `\\set n random(1, ${PEOPLE})
select t.id, t.scopes, t.expires_at, t.last_used_at, u.id, u.role, u.suspended_at from personal_tokens t join users u on u.id = t.user_id where t.hash = (select hash from bench_guests where n = :n);
begin;
select e.*, g.is_listed from events e join groups g on g.id = e.group_id where e.id = '${eventId}' for no key update of e;
insert into rsvps (id, event_id, user_id, status, rsvp_at) select gen_random_uuid(), '${eventId}', id, 'confirmed', now() from bench_guests where n = :n
  on conflict (event_id, user_id) do update set status = excluded.status where rsvps.status = 'cancelled' returning *;
insert into outbox (id, type, payload) values (gen_random_uuid(), 'rsvp.confirmed', '{"eventId": "${eventId}", "rsvpId": "x", "userId": "y", "groupId": "z"}');
commit;
`,
  )
  return file
}

function rsvps(url: string, eventId: string, tokens: string[]): Promise<number> {
  let next = 0
  return askFor(async () => {
    const token = tokens[next++ % tokens.length]
    const response = await fetch(`${url}/v1/events/${eventId}/rsvp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    await response.arrayBuffer()
    if (response.status !== 201 && response.status !== 409)
      throw new Error(`an RSVP was answered with ${response.status}`)
    return response.status === 201
  })
}
