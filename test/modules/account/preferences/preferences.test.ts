import { describe, expect, test } from 'bun:test'
import { get, patch } from '../../../support/api'
import { makeCaller, makeSession, makeUser } from '../../../support/make'
import { askAndRead, newAddress, sessionIn, submit } from '../../access/sign-in/fixtures'

const PATH = '/v1/profile/preferences'

const read = async (session: string) => (await get(PATH, { session })).body.data

const arrive = async (email: string, headers: Record<string, string>) => {
  const { token } = await askAndRead(email)
  return sessionIn(await submit('/auth/email/verify', { token }, { headers }))
}

describe('how a person is written to', () => {
  test('is changed part by part, and null clears it', async () => {
    const { token } = await makeCaller()
    expect((await get(PATH, { token })).body.data).toEqual({ language: null, timeZone: null })
    const zone = await patch(PATH, { token, json: { timeZone: 'Europe/Lisbon' } })
    expect([zone.status, zone.body.data]).toEqual([200, { language: null, timeZone: 'Europe/Lisbon' }])
    const language = await patch(PATH, { token, json: { language: 'de' } })
    expect(language.body.data).toEqual({ language: 'de', timeZone: 'Europe/Lisbon' })
    const cleared = await patch(PATH, { token, json: { timeZone: null } })
    expect(cleared.body.data).toEqual({ language: 'de', timeZone: null })
  })

  test.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['AMERICA/PORT-AU-PRINCE', 'America/Port-au-Prince'],
    ['utc', 'UTC'],
    ['asia/calcutta', 'Asia/Calcutta'],
  ])('is by a zone as programs know it: %s', async (sent, timeZone) => {
    const { token } = await makeCaller()
    expect((await patch(PATH, { token, json: { timeZone: sent } })).body.data.timeZone).toBe(timeZone)
    expect((await get(PATH, { token })).body.data.timeZone).toBe(timeZone)
  })

  test.each([
    { timeZone: 'Europe/Atlantis' },
    { timeZone: '+02:00' },
    { timeZone: '' },
    { timeZone: 'x'.repeat(65) },
    { language: 'tlh' },
    { language: '' },
  ])('is nothing that there is not: %p', async (json) => {
    const { token } = await makeCaller()
    const { status, text } = await patch(PATH, { token, json })
    expect(status).toBe(400)
    expect(text).not.toContain('Atlantis')
    expect((await get(PATH, { token })).body.data).toEqual({ language: null, timeZone: null })
  })

  test('is in the language of the browser that first signs in', async () => {
    const email = newAddress()
    const first = await arrive(email, { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' })
    expect(await read(first)).toEqual({ language: 'de', timeZone: null })
    const second = await arrive(email, { 'accept-language': 'en' })
    expect((await read(second)).language).toBe('de')
    const chosen = await arrive(newAddress(), { 'accept-language': 'en', cookie: 'language=de' })
    expect((await read(chosen)).language).toBe('de')
    const silent = await makeUser()
    expect((await read(await makeSession(silent.id))).language).toBeNull()
  })

  test('follows the language that they choose on a page', async () => {
    const session = await makeSession((await makeUser({ language: 'de' })).id)
    const cookie = `session=${session}`
    const { status } = await submit('/language', { to: 'en', back: '/' }, { cookie })
    expect([status, (await read(session)).language]).toEqual([303, 'en'])
    const elsewhere = { cookie, headers: { 'sec-fetch-site': 'cross-site' } }
    expect((await submit('/language', { to: 'de' }, elsewhere)).status).toBe(403)
    expect((await read(session)).language).toBe('en')
  })
})
