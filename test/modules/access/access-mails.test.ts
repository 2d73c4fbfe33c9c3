import { describe, expect, test } from 'bun:test'
import { del, get, patch, post } from '../../support/api'
import { mailsAfter } from '../../support/letters'
import { makeCaller, makeSession } from '../../support/make'
import { later } from '../../support/time'
import { makeClient, makeTokens } from './oauth/fixtures'

const MINUTE = 60_000
const PATH = '/v1/profile/tokens'

async function makeOwner() {
  const caller = await makeCaller(['user', 'developer'])
  return { ...caller, session: await makeSession(caller.user.id) }
}

describe('the owner of a new token', () => {
  test('gets an email at once, regardless of preferences, without the token itself', async () => {
    const { user, session } = await makeOwner()
    await patch('/v1/profile/notifications', { session, json: { newFollower: false, badgeEarned: false } })
    const made = await post(PATH, { session, json: { name: 'Backup', scopes: ['read:events'] } })
    const [mail, ...more] = await mailsAfter(0, user)
    expect([mail?.subject, more]).toEqual(['A new access token in your account', []])
    expect(mail?.text).toContain('“Backup”')
    expect(mail?.text).toContain('read:events')
    expect(mail?.text).not.toContain(made.body.data.token)
    expect(mail?.text).not.toContain('/unsubscribe/')
  })

  test('hears of many together, and that one has ended by then', async () => {
    const { user, session } = await makeOwner()
    const make = (name: string) => post(PATH, { session, json: { name, scopes: ['read:events'] } })
    await make('first')
    expect((await mailsAfter(0, user)).length).toBe(1)
    for (const name of ['second', 'third']) await make(name)
    const { body } = await make('fourth')
    await del(`${PATH}/${body.data.id}`, { session })
    expect((await mailsAfter(0, user)).length).toBe(1)
    const [, together, ...more] = await mailsAfter(11 * MINUTE, user)
    expect(more).toEqual([])
    expect(together?.text).toContain('“second”')
    expect(together?.text).toContain('“third”')
    expect(together?.text).not.toMatch(/first|fourth/)
    expect(together?.text).toContain('* one token that was made and has ended since')
  })

  test('gets an email in their language even if all tokens were deleted before it was sent', async () => {
    const { user, session } = await makeOwner()
    await patch('/v1/profile/preferences', { session, json: { language: 'de' } })
    for (const name of ['first', 'second']) {
      const { body } = await post(PATH, { session, json: { name, scopes: ['read:events'] } })
      expect((await del(`${PATH}/${body.data.id}`, { session })).status).toBe(204)
    }
    const [mail, ...more] = await mailsAfter(0, user)
    expect([mail?.subject, more]).toEqual(['Ein neuer Zugangsschlüssel in deinem Konto', []])
    expect(mail?.text).toContain('* 2 Zugangsschlüssel, die angelegt wurden und seither beendet sind')
  })
})

test('a person who connects an application gets an email, and another when its scopes grow', async () => {
  const { user, session } = await makeOwner()
  const client = await makeClient({ name: 'Calendar Helper' })
  await makeTokens(client, { session, scope: 'read:events' })
  const [mail] = await mailsAfter(0, user)
  expect(mail?.subject).toBe('An application may act for you now')
  expect(mail?.text).toContain('“Calendar Helper”')
  await makeTokens(client, { session, scope: 'read:events' })
  await later(11 * MINUTE, () => makeTokens(client, { session, scope: 'read:events read:user' }))
  const [, wider, ...more] = await mailsAfter(12 * MINUTE, user)
  expect([wider?.text.includes('read:user'), more]).toEqual([true, []])
})

test('a person who registers an application gets an email', async () => {
  const { user, token } = await makeOwner()
  const json = { name: 'Door bell', redirectUris: ['https://door.example/back'] }
  const { status } = await post('/v1/developer/apps', { token, json })
  expect(status).toBe(201)
  const [mail, ...more] = await mailsAfter(0, user)
  expect([mail?.subject, more]).toEqual(['A new application in your account', []])
  expect(mail?.text).toContain('“Door bell”')
})

test('disconnecting an application does not suppress its email, which mentions it once', async () => {
  const { user, session } = await makeOwner()
  const client = await makeClient({ name: 'Calendar Helper' })
  await makeTokens(client, { session, scope: 'read:events' })
  await makeTokens(client, { session, scope: 'read:events read:user' })
  const [grant] = (await get('/v1/profile/grants', { session })).body.data
  expect((await del(`/v1/profile/grants/${grant.grantId}`, { session })).status).toBe(200)
  const [mail, ...more] = await mailsAfter(0, user)
  expect([mail?.subject, more]).toEqual(['An application may act for you now', []])
  expect(mail?.text).toContain('* one application that was connected and has ended since')
})

test('deleting a registered application takes nothing from the warning', async () => {
  const { user, token } = await makeOwner()
  const json = { name: 'Door bell', redirectUris: ['https://door.example/back'] }
  const { body } = await post('/v1/developer/apps', { token, json })
  expect((await del(`/v1/developer/apps/${body.data.clientId}`, { token })).status).toBeLessThan(300)
  const [mail, ...more] = await mailsAfter(0, user)
  expect([mail?.subject, more]).toEqual(['A new application in your account', []])
  expect(mail?.text).toContain('* one application that was registered and has ended since')
})
