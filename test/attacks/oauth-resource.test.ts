import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { oauthClients } from '@/db/tables/oauth'
import { makeClient, makeCode, makeTokens } from '../modules/access/oauth/fixtures'
import { apiUrl, get, post } from '../support/api'
import { makeCaller, makeSession, makeUser } from '../support/make'
import { ownDatabase, type ServerProcess, startServer } from '../support/processes'
import { apiRoutes } from '../support/routes'

describe('a resource takes an access token in one place and in one form', () => {
  test('not in the query of any route', async () => {
    const { access } = await makeTokens(await makeClient(), { scope: 'user read:events' })
    for (const { method, path, binding } of apiRoutes) {
      const access_ = binding?.action.access
      if (method !== 'GET' || access_ === 'public' || access_ === 'none') continue
      const answer = await get(`${path}?access_token=${access}&token=${access}&bearer=${access}`)
      expect([path, answer.status]).toEqual([path, 401])
    }
    expect((await post(`/mcp?access_token=${access}`, { json: {} })).status).toBe(401)
  })

  test('not in a form, not twice, not by Basic, not beside another', async () => {
    const { access } = await makeTokens(await makeClient())
    const { token } = await makeCaller()
    expect((await get('/v1/me', { headers: { authorization: `Bearer ${access}` } })).status).toBe(200)
    for (const authorization of [
      `Bearer ${access}, Bearer ${access}`,
      `Bearer ${access},Bearer ${token}`,
      `Bearer ${access} ${token}`,
      `Basic ${btoa(`x:${access}`)}`,
      `Basic ${btoa(`x:${token}`)}`,
      `Basic ${btoa(`${access}:`)}`,
      `Token ${access}`,
      `DPoP ${access}`,
      access,
      `Bearer ${access.toUpperCase()}`,
      `Bearer ${access}=`,
      `Bearer "${access}"`,
    ])
      expect([
        authorization.slice(0, 12),
        (await get('/v1/me', { headers: { authorization } })).status,
      ]).toEqual([authorization.slice(0, 12), 401])
    const twice = new Headers([
      ['authorization', `Bearer ${access}`],
      ['authorization', `Bearer ${access}`],
      ['x-forwarded-for', '10.7.7.7'],
    ])
    expect((await fetch(`${apiUrl()}/v1/me`, { headers: twice })).status).toBe(401)
    const inBody = await post('/v1/profile/tokens', {
      body: `access_token=${access}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(inBody.status).toBe(401)
  })

  test('no refresh token, no code, no client secret, and no fall back to the cookie', async () => {
    const client = await makeClient()
    const { refresh, session } = await makeTokens(client)
    const { code } = await makeCode(client)
    for (const token of [refresh, code, client.secret])
      for (const more of [{}, { session }]) {
        const answer = await get('/v1/me', { token, ...more })
        expect([token.slice(0, 6), answer.status]).toEqual([token.slice(0, 6), 401])
        expect(answer.headers.get('www-authenticate')).toStartWith('Bearer error="invalid_token", ')
      }
  })

  test('not after its application is gone', async () => {
    const owner = await makeUser()
    const client = await makeClient({ ownerId: owner.id })
    const { access } = await makeTokens(client)
    expect((await get('/v1/me', { token: access })).status).toBe(200)
    const { removeApp } = await import('@/modules/access/developer-apps/actions')
    await removeApp.run(
      {
        id: 'test',
        onSite: false,
        visitor: {
          userId: owner.id,
          role: 'user',
          scopes: new Set(['developer']),
          credential: { kind: 'session', id: await makeSession(owner.id) },
        },
      },
      { clientId: client.clientId },
    )
    expect((await get('/v1/me', { token: access })).status).toBe(401)
    expect(await db.$count(oauthClients, eq(oauthClients.clientId, client.clientId))).toBe(0)
  })
})

describe('the documents of a server with several names', () => {
  const BASE = 'https://folkmoot.example'
  const AUTH = 'https://auth.folkmoot.example'
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({
      DATABASE_URL: await ownDatabase(),
      BASE_URL: BASE,
      AUTH_URL: AUTH,
      LEGACY_BASE_URL: 'https://old.example',
    })
  })
  afterAll(async () => {
    await server.stop('SIGKILL')
  })
  const ask = async (path: string, host: string) => {
    const response = await fetch(server.url + path, { headers: { host } })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  test('are the same by each of its names, all https, and not to be had by any other', async () => {
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/mcp-configuration',
    ]) {
      const texts = new Set<string>()
      for (const host of ['folkmoot.example', 'auth.folkmoot.example', 'old.example']) {
        const { status, text } = await ask(path, host)
        expect([path, host, status]).toEqual([path, host, 200])
        texts.add(text)
      }
      expect(texts.size).toBe(1)
      const [text = ''] = texts
      expect(text).not.toContain('http://')
      expect(text).not.toContain('old.example')
      expect((await ask(path, 'evil.example')).status).toBe(400)
    }
    const server_ = JSON.parse((await ask('/.well-known/oauth-authorization-server', 'old.example')).text)
    expect([server_.issuer, server_.token_endpoint]).toEqual([AUTH, `${AUTH}/oauth/token`])
    const resource = JSON.parse((await ask('/.well-known/oauth-protected-resource/mcp', 'old.example')).text)
    expect([resource.resource, resource.authorization_servers]).toEqual([`${BASE}/mcp`, [AUTH]])
  })

  test('are named by each 401', async () => {
    const v1 = await ask('/v1/me', 'old.example')
    expect(v1.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${BASE}/.well-known/oauth-protected-resource"`,
    )
    const mcp = await fetch(`${server.url}/mcp`, { method: 'POST', headers: { host: 'folkmoot.example' } })
    expect(mcp.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${BASE}/.well-known/oauth-protected-resource/mcp", scope="read:user read:events read:groups"`,
    )
  })
})
