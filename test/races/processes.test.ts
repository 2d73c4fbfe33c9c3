import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { figure, parseMetrics, scrape } from '../support/metrics'
import { ownDatabase, type ServerProcess, startServer, until } from '../support/processes'
import { freePort } from '../support/redis'
import { seedToken } from '../support/seed'

const PROCESSES = 3

describe('limits over the processes of one server', () => {
  let server: ServerProcess
  let databaseUrl: string
  let metricsPort: string
  beforeAll(async () => {
    metricsPort = String(await freePort())
    databaseUrl = await ownDatabase()
    server = await startServer({
      DATABASE_URL: databaseUrl,
      PROCESSES: String(PROCESSES),
      METRICS_PORT: metricsPort,
    })
    // One that is ready answers before all are.
    await until('all processes are ready', () => server.output().includes('"message":"ready"'))
  })
  afterAll(() => server.stop('SIGTERM'))

  /** Requests at once, each on a connection of its own: the kernel spreads those over the processes. */
  async function burst(count: number, headers: Record<string, string>) {
    const answers = await Promise.all(
      Array.from({ length: count }, async () => {
        const response = await fetch(`${server.url}/v1/me`, { headers, keepalive: false })
        await response.arrayBuffer()
        return response
      }),
    )
    return {
      refused: answers.filter(({ status }) => status === 429).length,
      allowed: answers.filter(({ status }) => status !== 429),
      windows: new Set(answers.map((answer) => answer.headers.get('x-ratelimit-reset'))).size,
    }
  }

  const numbersOf = (answers: Response[]) =>
    answers.map((answer) => Number(answer.headers.get('x-ratelimit-remaining'))).sort((a, b) => a - b)

  test.each([
    ['a person', 1000, 200, async () => ({ authorization: `Bearer ${await seedToken(databaseUrl)}` })],
    ['an address', 60, 401, async () => ({})],
  ])('%s has exactly %d an hour, each with its own number', async (_, limit, status, headersOf) => {
    const headers = await headersOf()
    const { allowed, refused, windows } = await burst(limit + 100, headers as Record<string, string>)
    expect([allowed.length, refused, windows]).toEqual([limit, 100, 1])
    expect(allowed.every((answer) => answer.status === status)).toBe(true)
    expect(numbersOf(allowed)).toEqual(Array.from({ length: limit }, (_, i) => i))
  })

  test('all processes took part', async () => {
    const families = parseMetrics(await scrape(metricsPort))
    const counts = Array.from({ length: PROCESSES }, (_, index) =>
      figure(families, 'folkmoot_http_request_duration_seconds_count', {
        process: String(index + 1),
        route: '/v1/me',
        status: '429',
      }),
    )
    expect(counts.every((count) => count !== undefined && count > 0)).toBe(true)
  })
})
