import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { figure, parseMetrics, scrape } from '../support/metrics'
import { ownDatabase, type ServerProcess, startServer, until } from '../support/processes'
import { freePort } from '../support/redis'
import { seedToken } from '../support/seed'
import { countStatuses } from '../support/three'

const PROCESSES = 3
const RACERS = 100

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

  /** A hundred requests at once and more after them, each on a connection of its own: the kernel spreads those over the processes. */
  async function burst(count: number, headers: Record<string, string>): Promise<Response[]> {
    const answers: Response[] = []
    const racer = async () => {
      for (let left = count / RACERS; left > 0; left -= 1) {
        const response = await fetch(`${server.url}/v1/me`, { headers, keepalive: false })
        await response.arrayBuffer()
        answers.push(response)
      }
    }
    await Promise.all(Array.from({ length: RACERS }, racer))
    return answers
  }

  const numbersOf = (answers: Response[]) =>
    answers.map((answer) => Number(answer.headers.get('x-ratelimit-remaining'))).sort((a, b) => a - b)

  test.each([
    ['a person', 1000, 1100, 200, async () => ({ authorization: `Bearer ${await seedToken(databaseUrl)}` })],
    ['an address', 60, 100, 401, async () => ({})],
  ])('%s has exactly %d an hour, each with its own number', async (_, limit, sent, status, headersOf) => {
    const answers = await burst(sent, (await headersOf()) as Record<string, string>)
    expect(countStatuses(answers.map((answer) => answer.status))).toEqual({
      [status]: limit,
      429: sent - limit,
    })
    const allowed = answers.filter((answer) => answer.status === status)
    expect(numbersOf(allowed)).toEqual(Array.from({ length: limit }, (_, i) => i))
    expect(new Set(answers.map((answer) => answer.headers.get('x-ratelimit-reset'))).size).toBe(1)
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
