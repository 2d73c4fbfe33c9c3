import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { get } from '../support/api'
import { ownDatabase, type ServerProcess, startServer } from '../support/processes'
import { freePort } from '../support/redis'

describe('a production server that knows its names', () => {
  let server: ServerProcess
  let port: number
  let metricsPort: number
  beforeAll(async () => {
    port = await freePort()
    metricsPort = await freePort()
    server = await startServer({
      DATABASE_URL: await ownDatabase(),
      PORT: String(port),
      BASE_URL: 'https://folkmoot.example',
      LEGACY_BASE_URL: 'https://old.folkmoot.example',
      METRICS_PORT: String(metricsPort),
    })
  })
  afterAll(() => server.stop('SIGKILL'))

  const ask = (path: string, host: string) =>
    get(path, { base: server.url, headers: { host, 'x-forwarded-host': 'evil.example' } })

  test('refuses hosts it does not know, answers those it does, and writes only its own address', async () => {
    for (const host of [
      'evil.example',
      'folkmoot.example.evil.example',
      'a',
      'folkmoot.example:444',
      `127.0.0.1:${port}`,
    ]) {
      const { status, body } = await ask('/v1/scopes', host)
      expect([host, status, body.code]).toEqual([host, 400, 'bad_request'])
    }
    for (const host of ['FOLKMOOT.EXAMPLE', 'Folkmoot.example:443', 'folkmoot.example.'])
      expect([host, (await ask('/v1/scopes', host)).status]).toEqual([host, 200])
    const canonical = await ask('/openapi.json', 'folkmoot.example')
    expect(canonical.status).toBe(200)
    expect(canonical.text).not.toContain('evil.example')
    expect(canonical.body.servers.map(({ url }: { url: string }) => url)).toEqual([
      'https://folkmoot.example',
      'https://old.folkmoot.example',
      'http://localhost:3000',
    ])
    expect(canonical.headers.get('strict-transport-security')).toContain('max-age=')
    expect(canonical.headers.get('link')).toBeNull()
  })

  test('answers the legacy host the same way and names the canonical address', async () => {
    const [old, current] = [
      await ask('/v1/scopes', 'old.folkmoot.example'),
      await ask('/v1/scopes', 'folkmoot.example'),
    ]
    expect(old.text).toBe(current.text)
    expect(old.headers.get('link')).toBe('<https://folkmoot.example/v1/scopes>; rel="canonical"')
  })

  test('shows its figures on the internal port only', async () => {
    await ask('/v1/scopes', 'folkmoot.example')
    const { text } = await get('/metrics', { base: `http://127.0.0.1:${metricsPort}` })
    expect(text).toMatch(
      /folkmoot_http_request_duration_seconds_count\{method="GET",route="\/v1\/scopes",status="200"\} \d+/,
    )
    expect(text).toMatch(/process_resident_memory_bytes \d+/)
    expect((await ask('/metrics', 'folkmoot.example')).status).toBe(404)
    for (const host of ['a b', '[', '', 'a?b', '%', 'a:99999'])
      for (const [path, status] of [
        ['/metrics', 403],
        ['/metrics?at=http://127.0.0.1/x', 403],
        ['/other/metrics', 404],
      ] as const) {
        const figures = await get(path, { base: `http://127.0.0.1:${metricsPort}`, headers: { host } })
        expect([host, path, figures.status]).toEqual([host, path, status])
      }
  })

  test('is probed by its bare address all the same', async () => {
    expect((await get('/healthz', { base: server.url })).status).toBe(200)
    expect((await get('/readyz', { base: server.url })).status).toBe(200)
  })
})
