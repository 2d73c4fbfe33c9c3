import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { makeCode, makeStaffedEvent } from '../modules/gatherings/checkins/fixtures'
import {
  contextFor,
  faultsOf,
  hasChromium,
  LOOKS,
  openChromium,
  picture,
  startForBrowser,
} from '../support/browser'
import { makeSession, makeUser } from '../support/make'
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
})
