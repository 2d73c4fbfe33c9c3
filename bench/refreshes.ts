import { join } from 'node:path'
import postgres from 'postgres'
import { hashSecret } from '../src/auth/secrets'
import { checkedSecret } from '../src/core/codes'
import { askFor, CONNECTIONS, compareWrites, runPgbench, type Write } from './pgbench'
import { type Surroundings, startServer } from './server'

/** Each client has turns of its own, so there are many; each family is refreshed once. */
const CLIENTS = 1000
const FAMILIES = 80_000
/** Ours and those of pgbench, and of each round, begin here. */
const startOf = (round: number, isOurs: boolean) => (2 * round + (isOurs ? 1 : 0)) * (FAMILIES / 8)

type Held = { clientId: string; refreshToken: string }

/** Refresh tokens turned into new ones, each of another consent, against pgbench sending the same statements. */
export async function measureRefreshes(surroundings: Surroundings): Promise<Write> {
  const { databaseUrl, folder } = surroundings
  const held = await seedFamilies(databaseUrl)
  const script = await writeScript(folder)
  const server = await startServer(surroundings)
  const found = await compareWrites({
    pgbench: async (round) =>
      runPgbench(databaseUrl, script, { i: 0, start: startOf(round, false), step: CONNECTIONS }),
    ours: (round) => refreshes(server.url, held.slice(startOf(round, true))),
  })
  await server.stop()
  return found
}

async function seedFamilies(databaseUrl: string): Promise<Held[]> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  await sql`create table bench_apps as
    select n, 'fm_app_' || md5('bench' || n) as client_id, gen_random_uuid() as user_id, gen_random_uuid() as grant_id
    from generate_series(0, ${CLIENTS - 1}) n`
  await sql`insert into users (id, name) select user_id, 'Member' from bench_apps`
  await sql`insert into oauth_clients (client_id, name, redirect_uris, auth_method, last_used_at)
    select client_id, 'Bench', array['http://127.0.0.1/cb'], 'none', now() from bench_apps`
  await sql`insert into oauth_grants (id, user_id, client_id, scopes)
    select grant_id, user_id, client_id, array['read:user'] from bench_apps`
  const tokens = Array.from({ length: FAMILIES }, () => checkedSecret('fm_rt_'))
  await sql`create table bench_families (n int primary key, id uuid not null, client_id text not null, hash bytea not null)`
  for (let from = 0; from < FAMILIES; from += 5000) {
    const hashes = tokens
      .slice(from, from + 5000)
      .map((token) => Buffer.from(hashSecret(token)).toString('hex'))
    await sql`insert into bench_families
      select h.n - 1 + ${from}, gen_random_uuid(), a.client_id, decode(h.hash, 'hex')
      from unnest(${hashes}::text[]) with ordinality h(hash, n) join bench_apps a on a.n = (h.n - 1 + ${from}) % ${CLIENTS}`
  }
  await sql`insert into oauth_families (id, grant_id, scopes)
    select f.id, a.grant_id, array['read:user'] from bench_families f join bench_apps a using (client_id)`
  await sql`insert into oauth_refresh_tokens (family_id, generation, hash, expires_at)
    select id, 0, hash, now() + interval '60 days' from bench_families`
  const rows = await sql`select client_id from bench_families order by n`
  await sql`analyze`
  await sql.end()
  return rows.map(({ client_id }, n) => ({ clientId: client_id, refreshToken: tokens[n] as string }))
}

const FAMILY = 'f.id, f.scopes, f.generation, g.client_id, u.id, u.username, u.role, u.suspended_at'

/**
 * What a refresh sends: which client is this, hold the family, read it again, the next token, the old one is used.
 * pgbench takes what follows a colon for a variable, so the scope has none.
 */
async function writeScript(folder: string): Promise<string> {
  const refreshToken = `select r.generation, r.used_at, r.expires_at, ${FAMILY}
  from oauth_refresh_tokens r join oauth_families f on f.id = r.family_id join oauth_grants g on g.id = f.grant_id
  join users u on u.id = g.user_id where r.hash = (select hash from bench_families where n = :n)`
  const family = '(select id from bench_families where n = :n)'
  const file = join(folder, 'refresh.sql')
  await Bun.write(
    file,
    `\\set i :i + 1
\\set n :start + :i * :step + :client_id
select c.*, u.username from oauth_clients c left join users u on u.id = c.owner_id where c.client_id = (select client_id from bench_families where n = :n);
begin;
${oneLine(refreshToken)};
select id from oauth_families where id = ${family} for update;
${oneLine(refreshToken)};
insert into oauth_refresh_tokens (family_id, generation, hash, expires_at) values (${family}, 1, sha256(convert_to('next ' || :n, 'UTF8')), now() + interval '60 days');
update oauth_refresh_tokens set used_at = now() where family_id = ${family} and generation = 0;
update oauth_families set generation = 1 where id = ${family} and generation = 0;
insert into oauth_access_tokens (id, family_id, hash, scopes, expires_at) values (gen_random_uuid(), ${family}, sha256(convert_to('access ' || :n, 'UTF8')), array['developer'], now() + interval '1 hour');
commit;
`,
  )
  return file
}

const oneLine = (statement: string) => statement.replaceAll(/\s+/g, ' ')

function refreshes(url: string, held: Held[]): Promise<number> {
  let next = 0
  return askFor(async () => {
    const { clientId, refreshToken } = held[next++] as Held
    const response = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=refresh_token&client_id=${clientId}&refresh_token=${refreshToken}`,
    })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`a refresh was answered with ${response.status}`)
    return true
  })
}
