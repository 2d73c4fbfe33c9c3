import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { SCOPE_NAMES } from '@/core/scopes'
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
  consent,
  decide,
  form,
  type MadeClient,
  makeClient,
  makeOwnedClient,
  makePkce,
  makePublicClient,
  requestOf,
  sealOf,
} from './fixtures'

async function makePerson(fields = {}) {
  const user = await makeUser(fields)
  return { user, session: await makeSession(user.id) }
}

const grantOf = async (userId: string) =>
  (await db.select().from(oauthGrants).where(eq(oauthGrants.userId, userId)))[0]

const boxesOf = ({ text }: Answer) =>
  [...text.matchAll(/<input type="checkbox" name="scope\.([^"]+)" checked>/g)].map(([, scope]) => scope)

const ask = (client: MadeClient, session: string, over: Record<string, string> = {}) =>
  get(authorizePath(requestOf(client, over)), { session })

/** A person who reads the page, leaves some boxes ticked and allows that. */
async function allowSome(client: MadeClient, session: string, scope: string, ticked: string[]) {
  const { verifier, challenge } = makePkce()
  const page = await ask(client, session, { scope, code_challenge: challenge, prompt: 'consent' })
  const { code } = answerOf(await decide(session, sealOf(page), 'allow', ticked))
  const { body } = await askToken(client, {
    grant_type: 'authorization_code',
    code: code as string,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
  })
  return body as { access_token: string; refresh_token: string; scope: string }
}

const me = async (token: string) => (await get('/v1/me', { token })).status

describe('the page', () => {
  test('speaks to the person, of every scope there is', async () => {
    const { session } = await makePerson({ role: 'admin' })
    for (const scope of SCOPE_NAMES) {
      const { status, text } = await ask(await makeClient(), session, { scope })
      expect([scope, status]).toEqual([scope, 200])
      expect(text).not.toMatch(/the user|the caller|scope [a-z]+:/)
    }
    const { text } = await ask(await makeClient(), session, { scope: 'manage:groups read:meetpass' })
    expect(text).toContain('Change your groups and who helps to run them')
    expect(text).toContain('See your passes, and whom you met with them')
  })

  test('has a box for each that was asked for by name, and says which comes with another', async () => {
    const { session } = await makePerson()
    const boxes = async (scope: string) => boxesOf(await ask(await makeClient(), session, { scope }))
    expect(await boxes('user read:user user:email read:events')).toEqual([
      'user',
      'read:user',
      'user:email',
      'read:events',
    ])
    const { text } = await ask(await makeClient(), session, { scope: 'write:events manage:events read:user' })
    const parts = [...text.matchAll(/name="scope\.([^"]+)"[^\n]*Also part of: ([^<]+)</g)]
    expect(parts.map(([, name, bringer]) => [name, bringer])).toEqual([
      ['write:events', expect.stringContaining('Create, change and cancel events')],
    ])
    const administrator = await makePerson({ role: 'admin' })
    const all = await ask(await makeClient(), administrator.session, { scope: 'admin read:user read:events' })
    // Without what admin brings along there would be nothing left to choose.
    expect(boxesOf(all)).toEqual(['read:user', 'read:events', 'admin'])
  })

  test('groups a long list, leaves a short one whole, and has no box for what stands alone', async () => {
    const { session } = await makePerson()
    const page = async (scope: string) => (await ask(await makeClient(), session, { scope })).text
    const long = await page(SCOPE_NAMES.join(' '))
    for (const area of ['You', 'Events', 'Groups', 'Passes and files', 'Behind the scenes'])
      expect(long).toContain(`<h2>${area}</h2>`)
    expect(await page('read:user read:events')).not.toContain('<h2>')
    const one = await page('read:user')
    expect(one).not.toContain('checkbox')
    expect(one).toContain('<input type="hidden" name="scope.read:user" value="on">')
  })

  test('says which account it is, how to use another, when it ends and where to end it', async () => {
    const { user, session } = await makePerson()
    const path = authorizePath(requestOf(await makeClient(), { state: 'a&"b' }))
    const { text } = await get(path, { session })
    expect(text).toContain(`(${user.username}, ${user.email})`)
    const another = /href="([^"]+)">Use another account</.exec(text)?.[1]?.replaceAll('&amp;', '&')
    expect(another).toBe(`/login?returnTo=${encodeURIComponent(path)}&prompt=login`)
    const login = await get(another as string, { session })
    expect([login.status, login.text.includes('Sign in to Folkmoot')]).toEqual([200, true])
    expect(text).toContain('<a href="/settings/applications">your connected applications</a>')
    expect(text).toContain('has not used it for 60 days')
  })
})

describe('what a person leaves unticked', () => {
  test('is not given, and the answer says what was', async () => {
    const [client, { user, session }] = [await makePublicClient(), await makePerson()]
    const given = await allowSome(client, session, 'read:user read:events read:groups', [
      'read:user',
      'read:groups',
    ])
    expect(given.scope).toBe('read:user read:groups')
    expect((await grantOf(user.id))?.scopes).toEqual(['read:user', 'read:groups'])
    expect((await get('/v1/events', { token: given.access_token })).status).toBe(403)
    expect((await askRefresh(client, given.refresh_token)).body.scope).toBe('read:user read:groups')
  })

  test('takes what it brings along with it', async () => {
    const [client, { session }] = [await makeClient(), await makePerson()]
    const scope = 'user read:user write:events read:events'
    expect((await allowSome(client, session, scope, ['user'])).scope).toBe('user read:user')
    expect((await allowSome(client, session, scope, ['write:events'])).scope).toBe('read:events write:events')
  })

  test('leaves the lesser of two that were asked for by name', async () => {
    const [client, { user, session }] = [await makeClient(), await makePerson()]
    const scope = 'write:events manage:events'
    await allowSome(client, session, scope, ['write:events', 'manage:events'])
    expect((await allowSome(client, session, scope, ['write:events'])).scope).toBe('write:events')
    expect((await grantOf(user.id))?.scopes).toEqual(['write:events'])
  })

  test('goes beyond the question in no way', async () => {
    const [client, { user, session }] = [await makeClient(), await makePerson()]
    const given = await allowSome(client, session, 'read:user read:events', [
      'read:user',
      'admin',
      'user',
      'x',
    ])
    expect([given.scope, (await grantOf(user.id))?.scopes]).toEqual(['read:user', ['read:user']])
  })

  test('everything is no answer: the page asks again with an error', async () => {
    const [client, { user, session }] = [await makeClient(), await makePerson()]
    const page = await ask(client, session, { scope: 'read:user read:events' })
    const again = await decide(session, sealOf(page), 'allow', [])
    expect([again.status, again.headers.get('location')]).toEqual([400, null])
    expect(again.text).toContain('role="alert" id="problem">Nothing is ticked')
    // As they left them: who presses the button once more has still allowed nothing.
    expect(boxesOf(again)).toEqual([])
    expect(again.text).toContain('name="scope.read:user"><span>')
    expect(await grantOf(user.id)).toBeUndefined()
    expect(answerOf(await decide(session, sealOf(again))).code).toMatch(/^fm_ac_/)
    expect(answerOf(await decide(session, sealOf(page), 'deny', [])).error).toBe('access_denied')
  })

  test('is not ticked for them the next time, and what is new is said to be', async () => {
    const [client, { user, session }] = [await makeClient(), await makePerson()]
    const scope = 'read:user read:events read:groups'
    const first = await ask(client, session, { scope: 'read:user read:events' })
    expect(first.text).not.toContain('before')
    expect(first.text).not.toContain('(new)')
    await allowSome(client, session, 'read:user read:events', ['read:user'])
    const page = await ask(client, session, { scope })
    expect(boxesOf(page)).toEqual(['read:user', 'read:groups'])
    const marks = [...page.text.matchAll(/name="scope\.([^"]+)"[^\n]*<strong class="small">([^<]+)</g)]
    expect(marks.map(([, name, said]) => [name, said])).toEqual([
      ['read:events', '(left out before)'],
      ['read:groups', '(new)'],
    ])
    expect(page.text).toContain('What you untick now ends')
    // On a page that comes back it is theirs to say, not what was before.
    const again = await decide(session, sealOf(page), 'allow', [])
    expect(boxesOf(again)).toEqual([])
    // Once they tick it, it is like the rest.
    await allowSome(client, session, scope, ['read:user', 'read:events'])
    expect(boxesOf(await ask(client, session, { scope }))).toEqual(['read:user', 'read:events'])
    expect(await grantOf(user.id)).toMatchObject({
      scopes: ['read:user', 'read:events'],
      declined: ['read:groups'],
    })
    const other = await makePerson()
    expect(boxesOf(await ask(client, other.session, { scope }))).toEqual([
      'read:user',
      'read:events',
      'read:groups',
    ])
  })

  test('what they had allowed and take out now is left out from then on', async () => {
    const [client, { session }] = [await makePublicClient(), await makePerson()]
    const scope = 'read:user read:events'
    await allowSome(client, session, scope, ['read:user', 'read:events'])
    expect(boxesOf(await ask(client, session, { scope }))).toEqual(['read:user', 'read:events'])
    await allowSome(client, session, scope, ['read:events'])
    expect(boxesOf(await ask(client, session, { scope }))).toEqual(['read:events'])
  })

  test('is asked for again the next time, and not given in silence', async () => {
    const [client, { session }] = [await makeClient(), await makePerson()]
    await allowSome(client, session, 'read:user read:events', ['read:user'])
    expect((await ask(client, session, { scope: 'read:user read:events' })).status).toBe(200)
    expect((await ask(client, session, { scope: 'read:user' })).status).toBe(302)
  })

  test('ends if it was allowed before, with the tokens that hold it', async () => {
    const [client, { user, session }] = [await makeClient(), await makePerson()]
    const [wide, narrow] = [
      await allowSome(client, session, 'user read:events', ['user', 'read:events']),
      await allowSome(client, session, 'read:events', ['read:events']),
    ]
    expect([await me(wide.access_token), (await grantOf(user.id))?.scopes]).toEqual([
      200,
      ['user', 'read:events'],
    ])
    // `user` brings the address along, so that it cannot stay either.
    const later = await allowSome(client, session, 'read:user user:email', ['read:user'])
    expect((await grantOf(user.id))?.scopes).toEqual(['read:user', 'read:events'])
    expect([await me(wide.access_token), await me(later.access_token)]).toEqual([401, 200])
    expect((await askRefresh(client, wide.refresh_token)).body.error).toBe('invalid_grant')
    expect((await askRefresh(client, narrow.refresh_token)).status).toBe(200)
    expect((await ask(client, session, { scope: 'user' })).status).toBe(200)
  })
})

describe('which account', () => {
  test('prompt=select_account shows it to those who would not be asked otherwise', async () => {
    const [client, { user, session }] = [await makeClient(), await makePerson()]
    await consent(session, requestOf(client))
    expect((await ask(client, session)).status).toBe(302)
    for (const prompt of ['select_account', 'select_account consent']) {
      const page = await ask(client, session, { prompt })
      expect(page.status).toBe(200)
      expect(page.text).toContain(`(${user.username}, ${user.email})`)
      expect(page.text).toContain('Use another account')
    }
    const nobody = await get(authorizePath(requestOf(client, { prompt: 'select_account' })))
    expect([nobody.status, nobody.headers.get('location')?.startsWith('/login?')]).toEqual([302, true])
  })

  /** The sign-in to which a person is sent who is not signed in. */
  const signInFor = async (client: MadeClient, over: Record<string, string> = {}) => {
    const sent = await get(authorizePath(requestOf(client, over)))
    return get(sent.headers.get('location') as string)
  }
  const typedIn = ({ text }: Answer) => /id="email"[^>]* value="([^"]*)"/.exec(text)?.[1]

  test('login_hint is written into the form, if it is an address', async () => {
    const client = await makeClient()
    expect(typedIn(await signInFor(client, { login_hint: 'Ada@Folkmoot.example' }))).toBe(
      'ada@folkmoot.example',
    )
    for (const login_hint of [
      '',
      'ada',
      '"><script>alert(1)</script>@x',
      'a@b\nc',
      `${'x'.repeat(300)}@x.example`,
    ]) {
      const page = await signInFor(client, { login_hint })
      expect([login_hint, page.status, typedIn(page)]).toEqual([login_hint, 200, ''])
      expect(page.text).not.toContain('<script')
    }
  })

  test('the sign-in page names the application and whether it is verified', async () => {
    const name = '<b>Bank</b> & Co'
    const own = await signInFor(await makeClient({ name }))
    expect(own.text).toMatch(
      /An application that calls itself <strong><bdi>&lt;b&gt;Bank&lt;\/b&gt; &amp; Co<\/bdi><\/strong> sent you here/,
    )
    const owned = await signInFor(await makeOwnedClient({ name: 'Team Calendar' }))
    expect(owned.text).toContain('The application <strong><bdi>Team Calendar</bdi></strong> sent you here')
    const mistyped = await post(
      '/auth/email',
      form({
        email: 'no',
        returnTo: authorizePath(requestOf(await makeOwnedClient({ name: 'Team Calendar' }))),
      }),
    )
    expect([mistyped.status, mistyped.text.includes('Team Calendar')]).toEqual([400, true])
    for (const returnTo of [
      '/',
      '/settings/applications',
      '/oauth/authorize?client_id=x',
      '/oauth/authorize?%zz',
    ])
      expect((await get(`/login?returnTo=${encodeURIComponent(returnTo)}`)).text).not.toContain(
        'sent you here',
      )
  })

  test('an application cannot speak through a sign-in that would not lead back to it', async () => {
    const client = await makeClient({ name: 'Call 555 0100' })
    const wrong = requestOf(client, { redirect_uri: 'https://evil.example/' })
    const page = await get(`/login?returnTo=${encodeURIComponent(authorizePath(wrong))}`)
    expect([page.status, page.text.includes('555')]).toEqual([200, false])
  })
})

describe('a page of refusal', () => {
  const idOf = ({ headers }: Answer) => headers.get('x-request-id') as string

  test('says what to do, and gives developers client, address and request', async () => {
    const client = await makeClient()
    const unknown = `fm_app_${'0'.repeat(32)}`
    const { session } = await makePerson()
    for (const [over, wrong] of [
      [{ client_id: unknown }, 'No application has this client_id'],
      [{ redirect_uri: 'https://evil.example/cb' }, 'redirect_uri has to be one of those'],
    ] as const) {
      const fields = requestOf(client, over)
      const page = await get(authorizePath(fields), { session })
      expect([page.status, page.headers.get('location')]).toEqual([400, null])
      expect(page.text).toContain('Go back to the application and try again')
      expect(page.text).toContain(wrong)
      for (const shown of [fields.client_id, fields.redirect_uri, idOf(page)])
        expect(page.text).toContain(`<code>${shown}</code>`)
    }
    const mistaken = await get(authorizePath(requestOf(client, { scope: 'nonsense' })), { session })
    expect(mistaken.text).toContain('invalid_scope: scope must hold at least one name')
    for (const shown of [client.clientId, CALLBACK, idOf(mistaken)])
      expect(mistaken.text).toContain(`<code>${shown}</code>`)
  })

  test("shows no text chosen by the link's author", async () => {
    for (const [client_id, redirect_uri] of [
      ['Please call 555 0100', 'Your account is locked'],
      ['<script>alert(1)</script>', 'javascript:alert("1")'],
      ['\u202eabc', 'ü'],
      ['x'.repeat(5000), `https://x.example/${'y'.repeat(5000)}`],
      ['', ''],
    ]) {
      const { text } = await get(authorizePath({ client_id, redirect_uri }))
      expect(text).not.toMatch(/555 0100|account is locked|<script|\u202e|x{201}|y{201}/)
    }
  })

  test('lets a person whose sign-in has ended begin again with the same question', async () => {
    const [client, { session }] = [await makeClient(), await makePerson()]
    const path = authorizePath(requestOf(client, { state: 'a&b' }))
    const sealed = sealOf(await get(path, { session }))
    const fields = form({ request: sealed, decision: 'allow' })
    const begin = ({ text }: Answer) =>
      /href="([^"]+)">Begin again</.exec(text)?.[1]?.replaceAll('&amp;', '&')
    const ended = await post('/oauth/authorize', fields)
    expect([ended.status, begin(ended)]).toEqual([401, path])
    const other = await decide((await makePerson()).session, sealed)
    expect([other.status, begin(other)]).toEqual([400, path])
    const forged = await decide(session, 'x')
    expect([forged.status, begin(forged)]).toEqual([400, undefined])
  })
})
