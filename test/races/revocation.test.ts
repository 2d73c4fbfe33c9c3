import { describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { ownDatabase, startServer, until } from '../support/processes'
import { seedToken } from '../support/seed'

describe('a revoked token', () => {
  test('is refused by every process within a second, and the one that did it at once', async () => {
    const databaseUrl = await ownDatabase()
    const servers = await Promise.all([1, 2, 3].map(() => startServer({ DATABASE_URL: databaseUrl })))
    const [first, ...others] = servers
    const status = async (url: string, token: string) =>
      (await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status
    for (let round = 0; round < 5; round += 1) {
      const token = await seedToken(databaseUrl)
      // Every process has it cached now.
      for (const { url } of servers)
        expect([await status(url, token), await status(url, token)]).toEqual([200, 200])
      const listed = (await (
        await fetch(`${first?.url}/v1/profile/tokens`, { headers: { authorization: `Bearer ${token}` } })
      ).json()) as { data: { id: string }[] }
      const gone = await fetch(`${first?.url}/v1/profile/tokens/${listed.data[0]?.id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${token}` },
      })
      expect(gone.status).toBe(204)
      expect(await status(first?.url as string, token)).toBe(401)
      for (const { url } of others)
        await until('the others know', async () => (await status(url, token)) === 401, 1000)
    }
    // Sent on the notify channel's own connection: a busy pool must not delay it.
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    const told = await sql`select from pg_stat_activity where datname = current_database()
      and application_name = 'folkmoot-notify-channel' and query like '%pg_notify%'`
    expect(told.length).toBe(1)
    await sql.end()
    for (const server of servers) await server.stop('SIGKILL')
  })

  test('control: a row that vanishes without a domain event is still cached, so it is the domain event that ends it', async () => {
    const databaseUrl = await ownDatabase()
    const server = await startServer({ DATABASE_URL: databaseUrl })
    const token = await seedToken(databaseUrl)
    const status = async () =>
      (await fetch(`${server.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status
    const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
    await until('it listens', async () => {
      // It takes its sign of life right after it has begun to listen, whatever it asks next.
      const [listening] = await sql`select from pg_stat_activity join pg_locks using (pid)
        where application_name = 'folkmoot-notify-channel' and datname = current_database()
          and locktype = 'advisory' and granted and state = 'idle'`
      return listening !== undefined
    })
    await until('it is cached', async () => (await status()) === 200 && (await status()) === 200)
    await sql`delete from personal_tokens`
    await Bun.sleep(300)
    expect(await status()).toBe(200)
    // A lost notify channel empties every cache.
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'folkmoot-notify-channel' and datname = current_database()`
    await until('it has forgotten', async () => (await status()) === 401, 2000)
    await sql.end()
    await server.stop('SIGKILL')
  })
})
