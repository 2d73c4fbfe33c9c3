import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { MCP_RESOURCE } from '@/core/own-addresses'
import { db } from '@/db/client'
import { oauthGrants } from '@/db/tables/oauth'
import { type Answer, get, post } from '../../../support/api'
import { makeSession, makeUser } from '../../../support/make'
import {
  answerOf,
  askRefresh,
  askToken,
  authorizePath,
  CALLBACK,
  decide,
  type MadeClient,
  makeClient,
  makeOwnedClient,
  makePkce,
  makePublicClient,
  requestOf,
  sealOf,
} from './fixtures'

/** The scopes that the 401 of /mcp names. */
const DEFAULTS = ['read:user', 'read:events', 'read:groups']
const OFFERED = ['write:events', 'write:favorites', 'read:meetpass']

type Over = Record<string, string | undefined>

async function makePerson(fields = {}) {
  const user = await makeUser(fields)
  return { user, session: await makeSession(user.id) }
}

/** An agent that asks for what the 401 of /mcp named. */
const askAsAgent = (client: MadeClient, session: string, over: Over = {}) =>
  get(authorizePath(requestOf(client, { scope: DEFAULTS.join(' '), resource: MCP_RESOURCE, ...over })), {
    session,
  })

/** The boxes in sight, those behind "More permissions", and which of all are ticked. */
const boxesOf = ({ text }: Answer) => {
  const [inSight = '', folded = ''] = text.split('<details')
  const boxesIn = (part: string) => [
    ...part.matchAll(/<input type="checkbox" name="scope\.([^"]+)"( checked)?>/g),
  ]
  const all = [...boxesIn(inSight), ...boxesIn(folded)]
  return {
    shown: boxesIn(inSight).map(([, scope]) => scope),
    more: boxesIn(folded).map(([, scope]) => scope),
    ticked: all.filter(([, , checked]) => checked).map(([, scope]) => scope),
  }
}

/** Every other scope that anyone may give, but for that of developers. */
const MORE = expect.arrayContaining([
  'user',
  'write:portfolio',
  'manage:groups',
  'manage:events',
  'write:meetpass',
])

/** A person who ticks exactly these boxes; gives the tokens that come of it. */
async function allowTicked(client: MadeClient, session: string, ticked: string[], over: Over = {}) {
  const { verifier, challenge } = makePkce()
  const page = await askAsAgent(client, session, { code_challenge: challenge, prompt: 'consent', ...over })
  return exchange(client, answerOf(await decide(session, sealOf(page), 'allow', ticked)), verifier)
}

async function exchange(client: MadeClient, { code }: Record<string, string>, verifier: string) {
  const { body } = await askToken(client, {
    grant_type: 'authorization_code',
    code: code as string,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
  })
  return body as { access_token: string; refresh_token: string; scope: string }
}

const grantOf = async (userId: string) =>
  (await db.select().from(oauthGrants).where(eq(oauthGrants.userId, userId)))[0]

const toolsOf = async (token: string): Promise<string[]> => {
  const { body } = await post('/mcp', { token, json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
  return body.result.tools.map(({ name }: { name: string }) => name)
}

describe('an agent that asks for the defaults', () => {
  test('has its person offered more, unticked, and gets only what they tick', async () => {
    const [client, { user, session }] = [await makePublicClient(), await makePerson()]
    const page = await askAsAgent(client, session)
    expect(boxesOf(page)).toEqual({ shown: [...DEFAULTS, ...OFFERED], more: MORE, ticked: DEFAULTS })
    expect(boxesOf(page).more.filter((scope) => scope === 'developer' || scope === 'admin')).toEqual([])
    expect(page.text).toContain('did not ask for these')
    expect((await allowTicked(client, session, DEFAULTS)).scope).toBe('read:user read:events read:groups')
    expect((await grantOf(user.id))?.scopes).toEqual(DEFAULTS)

    const given = await allowTicked(client, session, [...DEFAULTS, 'write:events'])
    expect(given.scope).toBe('read:user read:events write:events read:groups')
    expect(await toolsOf(given.access_token)).toContain('events_rsvp')
    const renewed = await askRefresh(client, given.refresh_token)
    expect(renewed.body.scope).toBe(given.scope)
  })

  test('is offered the same when it asks for nothing, or for nothing of ours', async () => {
    const { session } = await makePerson()
    for (const scope of [undefined, '', 'openid offline_access', `${DEFAULTS.toReversed().join(' ')} openid`])
      expect([scope, boxesOf(await askAsAgent(await makePublicClient(), session, { scope }))]).toEqual([
        scope,
        { shown: [...DEFAULTS, ...OFFERED], more: MORE, ticked: DEFAULTS },
      ])
  })

  test('is offered what it registered, since its library may ask for nothing else', async () => {
    const client = await makePublicClient({ scopes: ['manage:events', 'read:events', 'admin'] })
    const { session } = await makePerson()
    expect(boxesOf(await askAsAgent(client, session)).more).toEqual(MORE)
    const administrator = await makePerson({ role: 'admin' })
    const page = boxesOf(await askAsAgent(client, administrator.session))
    expect([page.more.includes('admin'), page.ticked]).toEqual([true, DEFAULTS])
  })

  test('is given nothing by boxes that the page did not have', async () => {
    const [client, { user, session }] = [await makePublicClient(), await makePerson()]
    const given = await allowTicked(client, session, ['read:user', 'developer', 'admin', 'write:events'])
    expect(given.scope).toBe('read:user read:events write:events')
    expect((await grantOf(user.id))?.scopes).toEqual(['read:user', 'read:events', 'write:events'])
    const limited = await makeOwnedClient({ scopes: [...DEFAULTS, 'read:meetpass'] })
    expect(boxesOf(await askAsAgent(limited, session)).shown).toEqual([...DEFAULTS, 'read:meetpass'])
  })
})

describe('a request that names its scopes', () => {
  test('gets a page with these alone, and never more', async () => {
    const [client, { user, session }] = [await makePublicClient(), await makePerson()]
    for (const [scope, over] of [
      ['read:user read:events', {}],
      ['read:user read:events read:groups read:portfolio', {}],
      // The API is no endpoint for agents: an application there names what it wants.
      [DEFAULTS.join(' '), { resource: undefined }],
      [DEFAULTS.join(' '), { resource: MCP_RESOURCE.replace('/mcp', '') }],
    ] as [string, Over][])
      expect(boxesOf(await askAsAgent(client, session, { scope, ...over })).shown).toEqual(scope.split(' '))
    const given = await allowTicked(client, session, ['read:user', 'write:events'], {
      scope: 'read:user read:groups',
    })
    expect([given.scope, (await grantOf(user.id))?.scopes]).toEqual(['read:user', ['read:user']])
  })

  test('is not widened by what its person ticked for another one', async () => {
    const [client, { session }] = [await makeClient(), await makePerson()]
    await allowTicked(client, session, [...DEFAULTS, 'write:events'])
    const { verifier, challenge } = makePkce()
    const silent = await askAsAgent(client, session, { scope: 'read:events', code_challenge: challenge })
    expect((await exchange(client, answerOf(silent), verifier)).scope).toBe('read:events')
  })
})

describe('what a person ticked on top', () => {
  test('is ticked the next time, and given in silence where they are not asked', async () => {
    const [client, { session }] = [await makeClient(), await makePerson()]
    await allowTicked(client, session, [...DEFAULTS, 'write:events'])
    const again = await askAsAgent(client, session, { prompt: 'consent' })
    expect(boxesOf(again).ticked).toEqual([...DEFAULTS, 'write:events'])
    expect(again.text).not.toContain('(new)')
    const { verifier, challenge } = makePkce()
    const silent = await askAsAgent(client, session, { code_challenge: challenge })
    expect(silent.status).toBe(302)
    expect((await exchange(client, answerOf(silent), verifier)).scope).toBe(
      'read:user read:events write:events read:groups',
    )
  })

  test('ends when they untick it, with the tokens that hold it', async () => {
    const [client, { user, session }] = [await makePublicClient(), await makePerson()]
    const wide = await allowTicked(client, session, [...DEFAULTS, 'write:events', 'read:meetpass'])
    const narrow = await allowTicked(client, session, [...DEFAULTS, 'read:meetpass'])
    expect((await askRefresh(client, wide.refresh_token)).body.error).toBe('invalid_grant')
    expect(narrow.scope).toBe('read:user read:events read:groups read:meetpass')
    expect(await grantOf(user.id)).toMatchObject({
      scopes: [...DEFAULTS, 'read:meetpass'],
      declined: ['write:events'],
    })
    expect(boxesOf(await askAsAgent(client, session)).ticked).toEqual([...DEFAULTS, 'read:meetpass'])
  })

  test('was not left out where they never had it: an agent that asks for it by name finds it ticked', async () => {
    const [client, { user, session }] = [await makePublicClient(), await makePerson()]
    await allowTicked(client, session, DEFAULTS)
    expect((await grantOf(user.id))?.declined).toEqual([])
    const scope = [...DEFAULTS, 'write:events'].join(' ')
    const page = await askAsAgent(client, session, { scope })
    expect(boxesOf(page).ticked).toEqual(['read:user', 'read:events', 'write:events', 'read:groups'])
    expect(page.text).toContain('(new)')
  })

  test('stays on a page that comes back', async () => {
    const [client, { session }] = [await makePublicClient(), await makePerson()]
    const again = await decide(session, sealOf(await askAsAgent(client, session)), 'allow', [])
    expect([again.status, boxesOf(again).ticked]).toEqual([400, []])
  })
})

describe('the instructions', () => {
  const instructionsFor = async (token: string): Promise<string> => {
    const { body } = await post('/mcp', { token, json: { jsonrpc: '2.0', id: 1, method: 'initialize' } })
    return body.result.instructions
  }

  test('say which scopes are missing and how an agent gets them', async () => {
    const [client, { session }] = [await makePublicClient(), await makePerson()]
    const said = await instructionsFor((await allowTicked(client, session, DEFAULTS)).access_token)
    for (const scope of OFFERED) expect(said).toContain(scope)
    expect(said).toContain('/settings/applications')
    const wide = await instructionsFor(
      (await allowTicked(client, session, [...DEFAULTS, ...OFFERED])).access_token,
    )
    expect(wide).not.toContain('write:events')
    expect(wide).toContain('/settings/applications')
  })
})
