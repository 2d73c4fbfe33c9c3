import { describe, expect, test } from 'bun:test'
import { identify } from '@/auth/identify'
import type { Caller } from '@/core/caller'
import { newPassId } from '@/modules/passes/passes/id'
import { formToken } from '@/web/form-token'
import { get, post } from '../../../support/api'
import { makeSession, makeToken, makeUser } from '../../../support/make'
import { makeQrPass, makeTag } from '../fixtures'

/** A form as a browser sends it from the page of a pass. */
const send = (path: string, session: string, fields: Record<string, string>) =>
  post(path, {
    session,
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
  })

/** As the page of a pass would hold it. */
async function tokenOf(session: string): Promise<string> {
  const caller = (await identify(new Headers({ cookie: `session=${session}` }))) as Caller
  return formToken(caller).text.match(/value="(\w+)"/)?.[1] as string
}

async function signedIn() {
  const user = await makeUser()
  const session = await makeSession(user.id)
  return { user, session, csrf: await tokenOf(session) }
}

describe('the form that claims a tag', () => {
  test('claims it for the sender and redirects to the pass', async () => {
    const { user, session, csrf } = await signedIn()
    const id = await makeTag()
    const sent = await send(`/pass/${id}/claim`, session, { csrf })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/pass/${id}`])
    const { token } = await makeToken(user.id, ['read:meetpass'])
    expect((await get(`/v1/meetpass/${id}`, { token })).body.data.id).toBe(id)

    const other = await signedIn()
    const late = await send(`/pass/${id}/claim`, other.session, { csrf: other.csrf })
    expect(late.status).toBe(409)
    expect(late.text).toContain('This pass has already been claimed')
    expect(late.text).toContain(`href="/pass/${id}"`)
    const unknown = await send(`/pass/${newPassId()}/claim`, other.session, { csrf: other.csrf })
    expect(unknown.status).toBe(404)
  })

  test('is taken in the spelling of symbols, too', async () => {
    const { session, csrf } = await signedIn()
    const id = await makeTag()
    const sent = await send(`/PASS/${id.toUpperCase()}/claim`, session, { csrf })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/pass/${id}`])
  })

  test('is refused without the token of the session', async () => {
    const [one, other] = [await signedIn(), await signedIn()]
    const id = await makeTag()
    for (const csrf of ['', 'a'.repeat(64), other.csrf])
      expect((await send(`/pass/${id}/claim`, one.session, { csrf })).status).toBe(403)
    const stranger = await post(`/pass/${id}/claim`, { body: 'csrf=', headers: { accept: 'text/html' } })
    expect([stranger.status, stranger.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/login/),
    ])
    expect((await send(`/pass/${id}/claim`, one.session, { csrf: one.csrf })).status).toBe(303)
  })
})

describe('the form that follows the owner of a pass', () => {
  test('follows them once', async () => {
    const { user, session, csrf } = await signedIn()
    const owner = await makeUser()
    const id = await makeQrPass({ ownerId: owner.id })
    for (let i = 0; i < 2; i += 1) {
      const sent = await send(`/pass/${id}/follow`, session, { csrf })
      expect([sent.status, sent.headers.get('location')]).toEqual([303, `/pass/${id}`])
    }
    const { token } = await makeToken(user.id, ['read:user'])
    const { body } = await get(`/v1/users/${user.username}/following`, { token })
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual([owner.name])
  })

  test('does not follow private or suspended people, oneself, or by an inactive pass', async () => {
    const { user, session, csrf } = await signedIn()
    const statusOf = async (id: string) => (await send(`/pass/${id}/follow`, session, { csrf })).status
    const hidden = await makeUser({ profileVisibility: 'private' })
    const suspended = await makeUser({ suspendedAt: new Date() })
    expect([
      await statusOf(await makeQrPass({ ownerId: hidden.id })),
      await statusOf(await makeQrPass({ ownerId: suspended.id })),
      await statusOf(await makeQrPass({ ownerId: user.id })),
      await statusOf(await makeQrPass({ isActive: false })),
      await statusOf(await makeTag()),
      await statusOf(newPassId()),
      await statusOf('nonsense'),
    ]).toEqual([404, 410, 400, 410, 404, 404, 404])
    expect((await send(`/pass/${await makeQrPass()}/follow`, session, { csrf: '' })).status).toBe(403)
  })
})

test('the connect form connects a visitor who came by a link, like a tap', async () => {
  const { session, csrf } = await signedIn()
  const id = await makeQrPass()
  const byLink = { session, headers: { accept: 'text/html', 'sec-fetch-site': 'cross-site' } }
  const shown = await get(`/pass/${id}`, byLink)
  expect(shown.text).toContain(`<form method="post" action="/pass/${id}/connect">`)
  expect((await send(`/pass/${id}/connect`, session, { csrf: '' })).status).toBe(403)
  const sent = await send(`/pass/${id}/connect`, session, { csrf })
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `/pass/${id}`])
  expect((await get(`/pass/${id}`, byLink)).text).toContain('You are connected')
  expect((await send(`/pass/${await makeTag()}/connect`, session, { csrf })).status).toBe(409)
})
