import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { flushLastUsed } from '@/auth/last-used'
import { db } from '@/db/client'
import { oauthClients, oauthGrants } from '@/db/tables/oauth'
import { webhooks } from '@/db/tables/webhooks'
import { type Answer, get, post } from '../../../support/api'
import { makeCaller, makeSession, makeUser } from '../../../support/make'
import { form, type MadeClient, makeClient, makeOwnedClient, makeTokens } from '../oauth/fixtures'

const PAGE = '/settings/applications'

async function makePerson() {
  const user = await makeUser()
  return { user, session: await makeSession(user.id) }
}

const open = (session: string, query = '') => get(PAGE + query, { session })

const tokenOf = ({ text }: Answer) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] as string

const grantOf = async (userId: string, { clientId }: MadeClient) =>
  (await db.select().from(oauthGrants).where(eq(oauthGrants.userId, userId))).find(
    (grant) => grant.clientId === clientId,
  )?.id as string

const press = (session: string, fields: Record<string, string>, headers = {}) =>
  post(PAGE, { session, ...form(fields, headers) })

const me = async (token: string) => (await get('/v1/me', { token })).status

describe('the page of connected applications', () => {
  test('says what each may do in words, since when, when it was used and what it made', async () => {
    const { user, session } = await makePerson()
    const known = await makeOwnedClient({ name: 'Team <Calendar>' })
    const stranger = await makeClient({ name: 'Stranger' })
    const made = await makeTokens(known, { session, scope: 'user read:user developer' })
    await makeTokens(stranger, { session })
    const hook = await post('/v1/developer/webhooks', {
      token: made.access,
      json: { url: 'https://hooks.example.org/in?a=1&b=<2>', eventTypes: ['rsvp.*'] },
    })
    const app = await post('/v1/developer/apps', {
      token: made.access,
      json: { name: 'Child <App>', redirectUris: ['https://child.example/cb'] },
    })
    expect([hook.status, app.status]).toEqual([201, 201])
    await flushLastUsed()
    const { status, text, headers } = await open(session)
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ])
    const [first = '', second = ''] = text.split('<article').slice(1)
    expect(first).toContain('Stranger')
    expect(first).toContain('Registered itself, not verified')
    expect(first).toContain('See your profile')
    expect(first).toContain('<dt>Last used</dt><dd>no use seen yet</dd>')
    expect(first).not.toContain('it made')
    expect(second).toContain('Team &lt;Calendar&gt;')
    expect(second).toContain('Registered by ')
    expect(second).toContain('See and change your profile and your settings')
    expect(second).toContain('Register applications and webhooks in your name')
    // What another brings along is not repeated.
    expect(second).not.toContain('See your profile')
    expect(second).toMatch(/<dt>Allowed<\/dt><dd><time datetime="\d{4}-/)
    expect(second).toMatch(/<dt>Last used<\/dt><dd><time datetime="\d{4}-/)
    expect(second).toContain('<dt>Webhooks it made</dt><dd><bdi>https://hooks.example.org/in?a=1&amp;b=')
    expect(second).toContain('<dt>Applications it made</dt><dd><bdi>Child &lt;App&gt;</bdi></dd>')
    expect(second).toContain(
      'the webhooks that it made are switched off, the applications that it registered are deleted',
    )
    expect(text).not.toContain('<script')
    expect(await grantOf(user.id, known)).toBeDefined()
  })

  test("is empty without grants, and shows only one's own", async () => {
    await makeTokens(await makeClient({ name: 'Of another' }))
    const { session } = await makePerson()
    const { status, text } = await open(session)
    expect(status).toBe(200)
    expect(text).toContain('None yet')
    expect(text).not.toContain('Of another')
  })

  test('is signed in to first, and not for bearers', async () => {
    const nobody = await get(PAGE)
    expect([nobody.status, nobody.headers.get('location')]).toEqual([
      303,
      '/login?returnTo=%2Fsettings%2Fapplications',
    ])
    const { token } = await makeCaller(['user'])
    expect((await get(PAGE, { token })).status).toBe(403)
    expect((await get(PAGE, { token: 'fm_pat_wrong' })).status).toBe(401)
  })

  test('goes on to older ones, and refuses a cursor that is not its own', async () => {
    const { session } = await makePerson()
    for (let i = 0; i < 21; i += 1) await makeTokens(await makeClient({ name: `App ${i}.` }), { session })
    const first = await open(session)
    expect(first.text.split('<article')).toHaveLength(21)
    const next = /rel="next" href="([^"]+)"/.exec(first.text)?.[1] as string
    const second = await get(next, { session })
    expect(second.text.split('<article')).toHaveLength(2)
    expect(second.text).toContain('App 0.')
    expect(second.text).not.toContain('rel="next"')
    for (const cursor of ['x', next.slice(-20)]) {
      const wrong = await open(session, `?cursor=${cursor}`)
      expect([wrong.status, wrong.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
      expect(wrong.text).toContain('Back to your applications')
    }
  })
})

describe('the button that ends one', () => {
  test('does what the API does: tokens, webhooks and applications end, and the page says so', async () => {
    const { user, session } = await makePerson()
    const [client, other] = [await makeClient({ name: 'Goner' }), await makeClient({ name: 'Stayer' })]
    const made = await makeTokens(client, { session, scope: 'read:user developer' })
    const kept = await makeTokens(other, { session })
    const hook = await post('/v1/developer/webhooks', {
      token: made.access,
      json: { url: 'https://hooks.example.org/in', eventTypes: ['rsvp.*'] },
    })
    const grantId = await grantOf(user.id, client)
    const page = await open(session)
    const ended = await press(session, { grantId, csrf: tokenOf(page) })
    expect([ended.status, ended.headers.get('location')]).toEqual([303, `${PAGE}?ended=${grantId}`])
    expect([await me(made.access), await me(kept.access)]).toEqual([401, 200])
    const [row] = await db.select().from(webhooks).where(eq(webhooks.id, hook.body.data.id))
    expect([row?.isActive, row?.disabledReason]).toEqual([false, 'access_ended'])
    const after = await get(ended.headers.get('location') as string, { session })
    expect(after.text).toContain('role="status">That application is not connected any more')
    expect(after.text).not.toContain('Goner')
    expect(after.text).toContain('Stayer')
    // Pressed again in another window it has ended all the same.
    const again = await press(session, { grantId, csrf: tokenOf(page) })
    expect(again.status).toBe(303)
  })

  test('is worth nothing without the token of this session, from another site, or for what is not theirs', async () => {
    const [mine, other] = [await makePerson(), await makePerson()]
    const client = await makeClient()
    const { access } = await makeTokens(client, { session: mine.session })
    await makeTokens(await makeClient(), { session: other.session })
    const grantId = await grantOf(mine.user.id, client)
    const csrf = tokenOf(await open(mine.session))
    const foreign = tokenOf(await open(other.session))
    const second = await makeSession(mine.user.id)
    for (const [session, fields, headers] of [
      [mine.session, { grantId }, {}],
      [mine.session, { grantId, csrf: '' }, {}],
      [mine.session, { grantId, csrf: foreign }, {}],
      [mine.session, { grantId, csrf: `${csrf}0` }, {}],
      [second, { grantId, csrf }, {}],
      [mine.session, { grantId, csrf }, { 'sec-fetch-site': 'cross-site' }],
      [mine.session, { grantId, csrf }, { 'sec-fetch-site': 'same-site' }],
    ] as [string, Record<string, string>, Record<string, string>][]) {
      const refused = await press(session, fields, headers)
      expect([fields, headers, refused.status]).toEqual([fields, headers, 403])
    }
    expect((await press(other.session, { grantId, csrf: foreign })).status).toBe(303)
    expect((await press(mine.session, { grantId: 'x', csrf })).status).toBeGreaterThanOrEqual(303)
    expect((await press(mine.session, { csrf })).status).toBeGreaterThanOrEqual(303)
    const nobody = await post(PAGE, form({ grantId, csrf }))
    expect([nobody.status, nobody.headers.get('location')]).toEqual([
      303,
      '/login?returnTo=%2Fsettings%2Fapplications',
    ])
    expect(await me(access)).toBe(200)
    expect(await grantOf(mine.user.id, client)).toBe(grantId)
  })

  test('a link cannot make the page say that something ended which has not', async () => {
    const { user, session } = await makePerson()
    const client = await makeClient()
    await makeTokens(client, { session })
    const grantId = await grantOf(user.id, client)
    for (const ended of [grantId, 'x', '"><script>', '00000000'])
      expect((await open(session, `?ended=${encodeURIComponent(ended)}`)).text).not.toContain(
        'not connected any more',
      )
  })
})

test('what an application registered is gone with it', async () => {
  const { user, session } = await makePerson()
  const client = await makeClient()
  const { access } = await makeTokens(client, { session, scope: 'developer' })
  const app = await post('/v1/developer/apps', {
    token: access,
    json: { name: 'Child', redirectUris: ['https://child.example/cb'] },
  })
  const page = await open(session)
  await press(session, { grantId: await grantOf(user.id, client), csrf: tokenOf(page) })
  expect(await db.$count(oauthClients, eq(oauthClients.clientId, app.body.data.clientId))).toBe(0)
})
