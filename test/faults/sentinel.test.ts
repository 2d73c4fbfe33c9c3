import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Redis from 'ioredis'
import postgres from 'postgres'
import { runFolkmoot } from '../support/command-line'
import { ownDatabase, startServer, until } from '../support/processes'
import { startRedis, startSentinel } from '../support/redis'
import { type Seeded, seedPeople } from '../support/seed'

const binary = Bun.which('redis-server')
if (!binary) console.log('!! no redis-server: a change of the master by sentinels is NOT tested')

const PATIENCE_MS = 60_000

describe.if(binary !== null)('sentinels', () => {
  test(
    'make a replica the master: limits and jobs go on there, and nothing is lost',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'folkmoot-sentinel-'))
      const master = await startRedis(binary as string, folder)
      const replica = await startRedis(binary as string, folder, undefined, [
        '--replicaof',
        '127.0.0.1',
        String(master.port),
      ])
      const [of, at] = [new Redis(master.url), new Redis(replica.url)]
      of.on('error', () => {})
      await until('the replica follows', async () =>
        (await at.info('replication')).includes('link_status:up'),
      )
      const sentinel = await startSentinel(binary as string, folder, master)
      const asked = new Redis({ port: sentinel.port })
      const masterPort = async () =>
        ((await asked.call('sentinel', 'get-master-addr-by-name', 'mymaster')) as string[])[1]
      await until(
        'the sentinel knows the replica',
        async () =>
          String(await asked.call('sentinel', 'replicas', 'mymaster')).includes(String(replica.port)),
        30_000,
      )

      const databaseUrl = await ownDatabase()
      const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
      const [person, ...others] = (await seedPeople(databaseUrl, 31)) as [Seeded, ...Seeded[]]
      const REDIS_URL = `redis+sentinel://127.0.0.1:${sentinel.port}/mymaster`
      const server = await startServer({
        DATABASE_URL: databaseUrl,
        REDIS_URL,
        WORKER: 'embedded',
      })
      const countedInRedis = (times: number) =>
        until(
          'limits are counted in Redis',
          () => server.output().split('counting in Redis').length > times,
          30_000,
        )
      await countedInRedis(1)
      const { output } = await runFolkmoot(['doctor', '--json'], { DATABASE_URL: databaseUrl, REDIS_URL })
      expect(JSON.parse(output).data.checks).toContainEqual({
        name: 'redis',
        state: 'ok',
        found: expect.stringMatching(/^(Redis|Valkey) [\d.]+ answers, maxmemory-policy noeviction\.$/),
        todo: null,
      })
      const follow = async (people: Seeded[]) => {
        const remaining: number[] = []
        for (const { username } of people) {
          const { status, headers } = await fetch(`${server.url}/v1/users/${username}/follow`, {
            method: 'POST',
            headers: { authorization: `Bearer ${person.token}` },
          })
          expect(status).toBeLessThan(300)
          remaining.push(Number(headers.get('x-ratelimit-remaining')))
        }
        return remaining
      }
      /** Domain events whose consequences are not all done. */
      const isDone = async () => {
        const [row] = await sql`
        select (select count(*) from outbox where relayed_at is null)::int
          + (select count(*) from reactions where status <> 'done')::int as waiting,
          (select count(*) from reactions)::int as reactions`
        return row?.waiting === 0 && row.reactions > 0
      }

      await follow(others.slice(0, 10))
      // What the master has said, the replica has heard.
      await of.wait(1, 5000)
      await master.stop()
      const [first] = await follow(others.slice(10, 20))
      expect(first).toBe(989)
      await until(
        'the replica is the master',
        async () => (await masterPort()) === String(replica.port),
        30_000,
      )
      await countedInRedis(2)
      const [next] = await follow(others.slice(20, 30))
      // The ten before the change are in the copy, and those that were counted in memory meanwhile are added to it.
      expect(next).toBe(979)
      expect(await at.dbsize()).toBeGreaterThan(0)
      await until('every consequence has come', isDone, PATIENCE_MS)
      expect(
        (await sql`select count(*)::int as follows from follows where follower_id = ${person.id}`)[0],
      ).toEqual({
        follows: 30,
      })

      await server.stop()
      await sql.end()
      for (const client of [of, at, asked]) client.disconnect()
      for (const service of [sentinel, replica]) await service.stop()
      rmSync(folder, { recursive: true, force: true })
    },
    3 * PATIENCE_MS,
  )
})
