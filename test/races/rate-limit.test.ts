import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ownDatabase, type ServerProcess, startServer } from '../support/processes'
import { seedToken } from '../support/seed'

const redisUrl = process.env.TEST_REDIS_URL
if (!redisUrl) console.log('!! no Redis: the limit over several processes is NOT tested')

/** 300 requests at once over three processes, with a limit of 100. */
async function burst(servers: ServerProcess[], token: string) {
  const answers = await Promise.all(
    Array.from({ length: 300 }, async (_, i) => {
      const response = await fetch(`${servers[i % servers.length]?.url}/v1/me`, {
        headers: { authorization: `Bearer ${token}` },
      })
      return {
        status: response.status,
        remaining: Number(response.headers.get('x-ratelimit-remaining')),
        reset: response.headers.get('x-ratelimit-reset'),
      }
    }),
  )
  return {
    allowed: answers.filter(({ status }) => status === 200),
    refused: answers.filter(({ status }) => status === 429),
    answers,
  }
}

describe.if(Boolean(redisUrl))('the hourly limit over three processes', () => {
  let counted: ServerProcess[]
  let alone: ServerProcess[]
  let databaseUrl: string
  beforeAll(async () => {
    databaseUrl = await ownDatabase()
    const environment = { DATABASE_URL: databaseUrl, RATE_LIMIT_USER_PER_HOUR: '100' }
    counted = await Promise.all(
      [1, 2, 3].map(() => startServer({ ...environment, REDIS_URL: redisUrl as string })),
    )
    alone = await Promise.all([1, 2, 3].map(() => startServer(environment)))
  })
  afterAll(async () => {
    for (const server of [...counted, ...alone]) await server.stop('SIGKILL')
  })

  test('is exact with Redis: a hundred pass, each with its own number', async () => {
    const { allowed, refused, answers } = await burst(counted, await seedToken(databaseUrl))
    expect([allowed.length, refused.length]).toEqual([100, 200])
    expect(allowed.map(({ remaining }) => remaining).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, i) => i),
    )
    expect(new Set(answers.map(({ reset }) => reset)).size).toBe(1)
  })

  test('control: without Redis each process counts for itself, and this test sees it', async () => {
    const { allowed } = await burst(alone, await seedToken(databaseUrl))
    expect(allowed.length).toBe(300)
  })
})
