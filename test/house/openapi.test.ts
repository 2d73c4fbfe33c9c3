import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { isScope } from '@/core/scopes'
import { get } from '../support/api'
import { apiRoutes } from '../support/routes'

const root = join(import.meta.dir, '../..')
const committed = join(root, 'docs/openapi.json')

describe('the description of the API', () => {
  test('is what is committed, so that a change of the API shows in review', async () => {
    const { servers: _, ...served } = (await get('/openapi.json')).body
    const { servers: __, ...kept } = await Bun.file(committed).json()
    // On a difference: `bun run openapi` writes the file anew.
    expect(served).toEqual(kept)
  })

  test('is valid OpenAPI 3.1', async () => {
    const lint = Bun.spawn([process.execPath, 'x', 'redocly', 'lint', committed, '--format=stylish'], {
      cwd: root,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const output = (await new Response(lint.stdout).text()) + (await new Response(lint.stderr).text())
    expect([await lint.exited, output]).toEqual([0, expect.any(String)])
  })

  test('lists every route with its scope, its statuses and its rate-limit headers', async () => {
    const { paths, components } = (await get('/openapi.json')).body
    for (const { method, pattern, binding } of apiRoutes) {
      const operation =
        paths[pattern.replace(/:(\w+)/g, '{$1}').replace('*', `{${binding?.rest}}`)]?.[method.toLowerCase()]
      expect([pattern, operation?.operationId]).toEqual([pattern, binding?.action.name as string])
      expect(operation.summary.length).toBeGreaterThan(5)
      expect(operation.tags).toHaveLength(1)
      const statuses = Object.keys(operation.responses)
      expect(statuses).toContain(String(binding?.status))
      for (const status of ['400', '429', '500', '503']) expect(statuses).toContain(status)
      if (isScope(binding?.action.access ?? '')) {
        expect(statuses).toEqual(expect.arrayContaining(['401', '403']))
        expect(operation.security.flatMap((one: object) => Object.values(one)).flat()).toContain(
          binding?.action.access,
        )
      }
      for (const name of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'])
        expect(Object.keys(operation.responses[String(binding?.status)].headers)).toContain(name)
    }
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(['UserBasic', 'Token', 'TokenCreated', 'Scope', 'Pagination']),
    )
  })

  test('marks offset as deprecated', async () => {
    const { paths } = (await get('/openapi.json')).body
    const offset = paths['/v1/profile/tokens'].get.parameters.find(
      ({ name }: { name: string }) => name === 'offset',
    )
    expect(offset.deprecated).toBe(true)
  })
})

describe('the documentation pages', () => {
  test('come from this server alone', async () => {
    const { status, text, headers } = await get('/docs')
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toStartWith("default-src 'none'")
    const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string)
    expect(addresses.length).toBeGreaterThan(4)
    for (const address of addresses) {
      expect(address).toStartWith('/')
      expect([address, (await get(address)).status]).toEqual([address, 200])
    }
    expect((await get('/docs/..%2f..%2fpackage.json')).status).toBe(404)
  })
})
