import { describe, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from '../support/load'
import { ownDatabase, startServer, startWorker, until } from '../support/processes'
import { startRedis } from '../support/redis'
import { seedToken } from '../support/seed'
import { startThree } from '../support/three'

const binary = Bun.which('redis-server')
if (!binary) console.log('!! no redis-server: faults of Redis are NOT tested')

const folder = mkdtempSync(join(tmpdir(), 'folkmoot-redis-'))

describe.if(binary !== null)('Redis', () => {
  test('stopped, frozen and started under load: no error reaches anyone, limits fall back and come back', async () => {
    let redis = await startRedis(binary as string, folder)
    const databaseUrl = await ownDatabase()
    const server = await startServer({
      DATABASE_URL: databaseUrl,
      REDIS_URL: redis.url,
      RATE_LIMIT_USER_PER_HOUR: '1000000',
    })
    const token = await seedToken(databaseUrl)
    const said = (words: string, times: number) =>
      until(`it says "${words}"`, () => server.output().split(words).length > times)
    const traffic = load(`${server.url}/v1/me`, token, 16)
    await traffic.answers(500)

    await redis.stop()
    await said('counting in memory', 1)
    expect(server.output()).toMatch(/"level":"warn","message":"limits: counting in memory.*"reason":"/)
    await traffic.answers(1000)
    const { headers } = await fetch(`${server.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
    // Counting goes on from where Redis was, not from the start.
    expect(Number(headers.get('x-ratelimit-remaining'))).toBeLessThan(1_000_000 - 500)

    redis = await startRedis(binary as string, folder, redis.port)
    await said('counting in Redis', 2)
    await traffic.answers(1000)

    process.kill(redis.pid as number, 'SIGSTOP')
    await said('counting in memory', 2)
    await traffic.answers(1000)
    process.kill(redis.pid as number, 'SIGCONT')
    await said('counting in Redis', 3)
    await traffic.answers(500)

    const { statuses, failed } = await traffic.stop()
    expect({ statuses: Object.keys(statuses), failed }).toEqual({ statuses: ['200'], failed: 0 })
    await server.stop()
    await redis.stop()
  })

  test('frozen: what was counted in memory is added when it is back', async () => {
    const redis = await startRedis(binary as string, folder)
    const databaseUrl = await ownDatabase()
    const environment = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url, RATE_LIMIT_USER_PER_HOUR: '1000' }
    const [one, other] = await Promise.all([startServer(environment), startServer(environment)])
    const token = await seedToken(databaseUrl)
    let sent = 0
    const remaining = async ({ url }: { url: string }) => {
      sent += 1
      const { headers } = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
      return Number(headers.get('x-ratelimit-remaining'))
    }
    expect([await remaining(one), await remaining(other)]).toEqual([999, 998])
    process.kill(redis.pid as number, 'SIGSTOP')
    for (let i = 0; i < 20; i += 1) await Promise.all([remaining(one), remaining(one), remaining(other)])
    process.kill(redis.pid as number, 'SIGCONT')
    await until('each server knows of every hit', async () => {
      const left = [await remaining(one), await remaining(other)]
      return left[1] === 1000 - sent && left[0] === left[1] + 1
    })
    await Promise.all([one.stop(), other.stop()])
    await redis.stop()
  })

  test('stuttering: three processes let about as many pass as the limit says', async () => {
    const redis = await startRedis(binary as string, folder)
    const databaseUrl = await ownDatabase()
    const three = await startThree(databaseUrl, { REDIS_URL: redis.url, RATE_LIMIT_USER_PER_HOUR: '1000' })
    const token = await seedToken(databaseUrl)
    let isStuttering = true
    const stutter = (async () => {
      while (isStuttering) {
        process.kill(redis.pid as number, 'SIGSTOP')
        await Bun.sleep(200)
        process.kill(redis.pid as number, 'SIGCONT')
        await Bun.sleep(400)
      }
    })()
    const traffic = three.servers.map(({ url }) => load(`${url}/v1/me`, token, 4))
    await Bun.sleep(6000)
    const passed = (await Promise.all(traffic.map(({ stop }) => stop()))).map(
      ({ statuses }) => statuses['200'] ?? 0,
    )
    isStuttering = false
    await stutter
    const total = passed.reduce((sum, count) => sum + count, 0)
    console.log(`passed while Redis stuttered: ${total} of a limit of 1000`)
    expect(total).toBeGreaterThanOrEqual(1000)
    expect(total).toBeLessThan(2000)
    await three.stop()
    await redis.stop()
  }, 60_000)

  test('gone: the server starts without it, and still stops in time', async () => {
    const databaseUrl = await ownDatabase()
    const environment = { DATABASE_URL: databaseUrl, REDIS_URL: 'redis://127.0.0.1:1', WORKER: 'embedded' }
    const server = await startServer(environment)
    const token = await seedToken(databaseUrl)
    expect(
      (await fetch(`${server.url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status,
    ).toBe(200)
    expect(await server.stop('SIGTERM')).toBe(0)
    const worker = startWorker(environment)
    await until('the worker is ready', () => worker.output().includes('worker ready'))
    await worker.stop('SIGTERM')
  })
})
