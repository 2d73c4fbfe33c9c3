import { describe, expect, test } from 'bun:test'
import { SCOPE_NAMES } from '@/core/scopes'
import { call, get, post } from '../../../support/api'

const WELL_KNOWN = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/mcp-configuration',
]

describe('discovery', () => {
  test('names the authorization server and all that it does', async () => {
    const { status, body } = await get('/.well-known/oauth-authorization-server')
    expect(status).toBe(200)
    const methods = ['client_secret_basic', 'client_secret_post', 'none']
    expect(body).toEqual({
      issuer: 'http://localhost',
      authorization_endpoint: 'http://localhost/oauth/authorize',
      token_endpoint: 'http://localhost/oauth/token',
      registration_endpoint: 'http://localhost/oauth/register',
      revocation_endpoint: 'http://localhost/oauth/revoke',
      introspection_endpoint: 'http://localhost/oauth/introspect',
      scopes_supported: SCOPE_NAMES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: methods,
      revocation_endpoint_auth_methods_supported: methods,
      introspection_endpoint_auth_methods_supported: methods,
      authorization_response_iss_parameter_supported: true,
      service_documentation: 'http://localhost/docs',
    })
  })

  test('names nothing that is not there', async () => {
    const { body } = await get('/.well-known/oauth-authorization-server')
    const endpoints = Object.entries(body as Record<string, string>).filter(([name]) =>
      name.endsWith('_endpoint'),
    )
    for (const [name, url] of endpoints) {
      const path = new URL(url).pathname
      const { status } = name === 'authorization_endpoint' ? await get(path) : await post(path)
      expect([name, status === 404]).toEqual([name, false])
    }
    expect((await get('/docs')).status).toBe(200)
  })

  test('names the resources and who gives tokens for them', async () => {
    for (const [path, resource] of [
      ['', 'http://localhost'],
      ['/mcp', 'http://localhost/mcp'],
    ]) {
      const { status, body } = await get(`/.well-known/oauth-protected-resource${path}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        resource,
        authorization_servers: ['http://localhost'],
        // Agents ask for all that is listed, so running the place is not.
        scopes_supported: path ? SCOPE_NAMES.filter((scope) => scope !== 'admin') : SCOPE_NAMES,
        bearer_methods_supported: ['header'],
      })
    }
  })

  test('tells agents how to connect', async () => {
    const { body } = await get('/.well-known/mcp-configuration')
    expect(body).toEqual({
      mcp_version: '2025-03-26',
      server_name: 'Folkmoot',
      server_description: expect.any(String),
      server_url: 'http://localhost/mcp',
      transport: 'streamable-http',
      authentication: {
        type: 'oauth2',
        oauth_metadata_url: 'http://localhost/.well-known/oauth-authorization-server',
      },
      capabilities: expect.any(Object),
    })
    expect(Object.keys(body.capabilities)).toEqual(['tools', 'resources', 'prompts'])
  })

  test('is open to every origin, cacheable, and independent of request headers', async () => {
    for (const path of WELL_KNOWN) {
      const first = await get(path)
      expect(first.headers.get('access-control-allow-origin')).toBe('*')
      expect(first.headers.get('cache-control')).toBe('public, max-age=3600')
      expect(first.headers.get('content-type')).toStartWith('application/json')
      const forged = await get(path, {
        headers: {
          host: 'evil.example',
          'x-forwarded-host': 'evil.example',
          'x-forwarded-proto': 'https',
          forwarded: 'host=evil.example',
        },
      })
      expect([forged.text, forged.headers.get('etag')]).toEqual([first.text, first.headers.get('etag')])
      const known = await get(path, { headers: { 'if-none-match': first.headers.get('etag') as string } })
      expect([known.status, known.text]).toEqual([304, ''])
      const preflight = await call('OPTIONS', path, { headers: { origin: 'https://client.example' } })
      expect(preflight.status).toBe(204)
    }
  })
})

test('a 401 says where to learn how to get a token, and calls it invalid only if there was one', async () => {
  const metadata = 'resource_metadata="http://localhost/.well-known/oauth-protected-resource"'
  const missing = await get('/v1/me')
  expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([401, `Bearer ${metadata}`])
  const bad = await get('/v1/me', { token: 'fm_at_wrong' })
  expect([bad.status, bad.headers.get('www-authenticate')]).toEqual([
    401,
    `Bearer error="invalid_token", ${metadata}`,
  ])
})
