import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { hashSecret } from '@/auth/secrets'
import { checkedSecret, randomHex } from '@/core/codes'
import { ownDatabase, until } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'
import { startThree, type Three } from '../support/three'

type Shown = Record<string, string>
type Person = Seeded & { shown: Shown[] }

const bearer = (token: string): Shown => ({ authorization: `Bearer ${token}` })

/** Three servers, an administrator, and what it takes to make others. */
async function startServers() {
  const databaseUrl = await ownDatabase()
  const sql = postgres(databaseUrl, { max: 3, onnotice: () => {} })
  // Whoever is refused counts as a stranger, and these are refused often.
  const three: Three = await startThree(databaseUrl, { RATE_LIMIT_ANONYMOUS_PER_HOUR: '1000000' })
  const urls = three.servers.map(({ url }) => url)

  /** A person with a session and three tokens. */
  async function arrive(role: 'user' | 'admin', scopes: string[]): Promise<Person> {
    const [person] = (await seedPeople(databaseUrl, 1, scopes)) as [Seeded]
    await sql`update users set role = ${role} where id = ${person.id}`
    const [tokens, session] = [[checkedSecret('fm_pat_'), checkedSecret('fm_pat_')], randomHex(32)]
    for (const token of tokens)
      await sql`insert into personal_tokens (id, user_id, name, hash, prefix, scopes)
        values (${Bun.randomUUIDv7()}, ${person.id}, 'more', ${Buffer.from(hashSecret(token))}, ${token.slice(0, 15)}, ${scopes})`
    await sql`insert into sessions (id, user_id, hash, expires_at)
      values (${Bun.randomUUIDv7()}, ${person.id}, ${Buffer.from(hashSecret(session))}, now() + interval '1 hour')`
    const shown = [person.token, ...tokens].map(bearer)
    return { ...person, shown: [{ cookie: `session=${session}` }, ...shown] }
  }

  async function status(url: string, shown: Shown, path = '/v1/me'): Promise<number> {
    const response = await fetch(url + path, { headers: shown })
    await response.arrayBuffer()
    return response.status
  }

  /** What each credential is answered by each process. */
  const everywhere = (person: Person, path?: string) =>
    Promise.all(urls.flatMap((url) => person.shown.map((shown) => status(url, shown, path))))

  const admin = await arrive('admin', ['admin'])
  const change = (turn: number, { id }: Seeded, json: object) =>
    three.ask(turn, 'PATCH', `/v1/admin/users/${id}`, admin.token, json)

  return { sql, three, urls, arrive, status, everywhere, change, admin }
}

type Servers = Awaited<ReturnType<typeof startServers>>

const all = (statuses: number[], expected: number) => statuses.every((status) => status === expected)

/** Asks with every credential at every process, without a pause, and notes when each process last let somebody in. */
function hammer({ urls, status }: Servers, person: Person, path: string) {
  const lastLetIn = urls.map(() => 0)
  const seen = new Set<number>()
  let [stopped, answers] = [false, 0]
  const running = Promise.all(
    urls.flatMap((url, at) =>
      person.shown.map(async (shown) => {
        while (!stopped) {
          const startedAt = performance.now()
          const answer = await status(url, shown, path)
          if (answer === 200) lastLetIn[at] = Math.max(lastLetIn[at] as number, startedAt)
          seen.add(answer)
          answers += 1
        }
      }),
    ),
  )
  return {
    lastLetIn,
    untilAnswers: (count: number) => until('it has been answered', () => answers > count),
    async stop() {
      stopped = true
      await running
      return [...seen].sort()
    },
  }
}

describe('over three processes', () => {
  let servers: Servers
  beforeAll(async () => {
    servers = await startServers()
  })
  afterAll(async () => {
    await servers.sql.end()
    await servers.three.stop()
  })

  for (const { what, role, scopes, path, json, refusal } of [
    {
      what: 'a suspended person',
      role: 'user',
      scopes: ['user'],
      path: '/v1/me',
      json: { suspended: true },
      refusal: 401,
    },
    {
      what: 'a demoted administrator',
      role: 'admin',
      scopes: ['admin', 'read:user'],
      path: '/v1/admin/audit-log?limit=1',
      json: { role: 'user' },
      refusal: 403,
    },
  ] as const)
    test(`${what} is let in nowhere within a second, at once where it was done, and never again`, async () => {
      for (let round = 0; round < 3; round += 1) {
        const person = await servers.arrive(role, [...scopes])
        // Every process has them cached now.
        for (let twice = 0; twice < 2; twice += 1)
          expect(all(await servers.everywhere(person, path), 200)).toBe(true)
        const hammering = hammer(servers, person, path)
        await hammering.untilAnswers(200)
        expect(await servers.change(round, person, json)).toBe(200)
        const doneAt = performance.now()
        await until(
          'nobody lets them in',
          async () => all(await servers.everywhere(person, path), refusal),
          1000,
        )
        const silentAt = performance.now()
        for (let poll = 0; poll < 20; poll += 1)
          expect(all(await servers.everywhere(person, path), refusal)).toBe(true)
        expect(await hammering.stop()).toEqual([200, refusal])
        expect(Math.max(...hammering.lastLetIn)).toBeLessThan(silentAt)
        expect(hammering.lastLetIn[round % 3]).toBeLessThan(doneAt)
        // What is left of a demoted administrator's credentials is as good as before.
        if (refusal === 403) expect(all(await servers.everywhere(person), 200)).toBe(true)
      }
    })

  test('a demoted administrator hears from every process which scope is missing', async () => {
    const person = await servers.arrive('admin', ['admin'])
    await servers.everywhere(person, '/v1/admin/users?limit=1')
    await servers.change(0, person, { role: 'user' })
    for (const url of servers.urls) {
      const asked = () => fetch(`${url}/v1/admin/users?limit=1`, { headers: bearer(person.token) })
      await until('it is refused', async () => (await asked()).status === 403, 1000)
      const refused = await asked()
      expect(await refused.json()).toMatchObject({ code: 'insufficient_scope' })
      expect(refused.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="admin"')
    }
  })

  test('control: a suspension and a demotion without a message are not noticed', async () => {
    const [user, admin] = [await servers.arrive('user', ['user']), await servers.arrive('admin', ['admin'])]
    const path = '/v1/admin/audit-log?limit=1'
    for (let twice = 0; twice < 2; twice += 1) {
      expect(all(await servers.everywhere(user), 200)).toBe(true)
      expect(all(await servers.everywhere(admin, path), 200)).toBe(true)
    }
    await servers.sql`update users set suspended_at = now() where id = ${user.id}`
    await servers.sql`update users set role = 'user' where id = ${admin.id}`
    expect(all(await servers.everywhere(user), 200)).toBe(true)
    expect(all(await servers.everywhere(admin, path), 200)).toBe(true)
  })
})

describe('an identity that is being read while it changes', () => {
  let servers: Servers
  beforeAll(async () => {
    servers = await startServers()
    const { sql } = servers
    // From here on whoever reads a token waits at a gate, with what was true when they began.
    await sql`create function wait_at_gate() returns boolean language plpgsql volatile as $$ begin
      if current_query() like 'select%' then
        perform pg_advisory_lock_shared(4711);
        perform pg_advisory_unlock_shared(4711);
      end if;
      return true;
    end $$`
    await sql`alter table personal_tokens rename to kept_tokens`
    await sql`create view personal_tokens as select * from kept_tokens where wait_at_gate()`
  })
  afterAll(async () => {
    await servers.sql.end()
    await servers.three.stop()
  })

  for (const { what, role, path, json, refusal } of [
    { what: 'suspended', role: 'user', path: '/v1/me', json: { suspended: true }, refusal: 401 },
    {
      what: 'demoted',
      role: 'admin',
      path: '/v1/admin/audit-log?limit=1',
      json: { role: 'user' },
      refusal: 403,
    },
  ] as const)
    test(`of a person who is ${what} is not cached`, async () => {
      const { sql, urls, status, change, admin } = servers
      const url = urls[1] as string
      const person = await servers.arrive(role, role === 'admin' ? ['admin'] : ['user'])
      const [session, token] = person.shown as [Shown, Shown]
      // Cached by both: the administrator where it is done, and a session that will show when the word has come.
      for (let twice = 0; twice < 2; twice += 1) {
        expect(await status(urls[0] as string, bearer(admin.token), '/v1/admin/audit-log?limit=1')).toBe(200)
        expect(await status(url, session, path)).toBe(200)
      }
      const gate = await sql.reserve()
      await gate`select pg_advisory_lock(4711)`
      const overtaken = status(url, token, path)
      await until('it waits at the gate', async () => {
        const waiting =
          await sql`select 1 from pg_locks where locktype = 'advisory' and objid = 4711 and not granted
          and database = (select oid from pg_database where datname = current_database())`
        return waiting.length > 0
      })
      expect(await change(0, person, json)).toBe(200)
      await until('the word has come', async () => (await status(url, session, path)) === refusal, 1000)
      await gate`select pg_advisory_unlock(4711)`
      gate.release()
      // It had begun before, so it may be answered as before. The next one may not.
      expect(await overtaken).toBe(200)
      expect(await status(url, token, path)).toBe(refusal)
    })
})
