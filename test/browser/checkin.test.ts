import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { wordsIn } from '@/words/words'
import { makeCode, makeStaffedEvent } from '../modules/gatherings/checkins/fixtures'
import { call } from '../support/api'
import {
  contextFor,
  faultsOf,
  hasChromium,
  LOOKS,
  type Look,
  openChromium,
  picture,
  startForBrowser,
} from '../support/browser'
import { makeSession, makeToken, makeUser } from '../support/make'
import type { ServerProcess } from '../support/processes'
import { inHours } from '../support/time'

describe.skipIf(!hasChromium)('the page at the door', () => {
  let browser: Browser
  let server: ServerProcess
  beforeAll(async () => {
    browser = await openChromium()
    server = await startForBrowser({ DATABASE_URL: process.env.DATABASE_URL as string })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop('SIGKILL')
  })

  for (const look of LOOKS)
    test(`can be read by everyone, from the code to "You are in": ${look.name}`, async () => {
      const title = 'Donaudampfschifffahrtsgesellschaftstreffen mit أمينة'
      const { event } = await makeStaffedEvent({ title, venueName: 'Fábrica Braço de Prata' })
      const { code } = await makeCode(event.id)
      const dead = await makeCode(event.id, { expiresAt: inHours(-1) })
      const context = await contextFor(browser, look)
      const page = await context.newPage()
      if (look.isMobile) await page.setViewportSize({ width: 360, height: 740 })
      const foreign: string[] = []
      page.on('request', (request) => {
        if (!request.url().startsWith(server.url)) foreign.push(request.url())
      })
      const lookAt = async (name: string) => {
        await picture(page, `checkin-${name}-${look.name}`)
        expect(await faultsOf(page)).toEqual([])
      }
      await page.goto(`${server.url}/checkin/${dead.code}`)
      await lookAt('expired')
      await page.goto(`${server.url}/checkin/AAAAAAAA`)
      await lookAt('unknown')
      await page.goto(`${server.url}/CHECKIN/${code}`)
      await lookAt('stranger')
      await page.getByRole('link', { name: 'Sign in and check in' }).click()
      expect(new URL(page.url()).searchParams.get('returnTo')).toBe(`/CHECKIN/${code}`)
      const user = await makeUser({ name: 'Ada Okafor' })
      const value = await makeSession(user.id)
      await context.addCookies([{ name: 'session', value, url: server.url, httpOnly: true, sameSite: 'Lax' }])
      await page.goto(`${server.url}/CHECKIN/${code}`)
      await lookAt('person')
      await page.getByRole('button', { name: 'Check in' }).click()
      await page.getByRole('heading', { name: 'You are in' }).waitFor()
      expect(new URL(page.url()).pathname).toBe(`/checkin/${code}`)
      await lookAt('in')
      expect(foreign).toEqual([])
      await context.close()
    })

  test('the staff page stays live after a form came back with an error', async () => {
    const { manage } = wordsIn('en')
    const { event, volunteer, at } = await makeStaffedEvent()
    const context = await contextFor(browser, LOOKS[2] as Look)
    const value = await makeSession(volunteer.user.id)
    await context.addCookies([{ name: 'session', value, url: server.url, httpOnly: true, sameSite: 'Lax' }])
    const page = await context.newPage()
    await page.goto(`${server.url}${at.replace('/v1', '')}`)
    await page.getByText(manage.walkIn).click()
    await page.getByLabel(manage.fields.username).fill('nobody-has-this-name')
    await page.getByRole('button', { name: manage.checkIn, exact: true }).click()
    await page.getByRole('alert').first().waitFor()
    expect(new URL(page.url()).searchParams.get('do')).toBe('checkin')
    await page.locator('body').click({ position: { x: 1, y: 1 } })

    // Another door checks a person in meanwhile.
    const guest = await makeUser({ name: 'Ada Okafor' })
    const { code } = await makeCode(event.id)
    const { token } = await makeToken(guest.id, ['write:events'])
    const { status } = await call('POST', `/v1/checkin/${code}`, { token, base: server.url })
    expect(status).toBe(201)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await page
      .locator('[data-live=counts]')
      .getByText('1', { exact: true })
      .first()
      .waitFor({ timeout: 5000 })
    await page.locator('[data-live=guests]').getByText('Ada Okafor').first().waitFor({ timeout: 5000 })
    await page.getByRole('alert').first().waitFor()
    await context.close()
  })
})
