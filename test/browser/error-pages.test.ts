import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { apiUrl } from '../support/api'
import {
  contextFor,
  faultsOf,
  hasChromium,
  LOOKS,
  type Look,
  openChromium,
  picture,
} from '../support/browser'
import { makeSession, makeUser } from '../support/make'
import { made, serveThings } from '../web/making'
import { STATUSES, serveErrors } from '../web/refusing'

const PHONE = { width: 360, height: 740 }

describe.skipIf(!hasChromium)('in a browser', () => {
  const [refusing, making] = [serveErrors(), serveThings()]
  let browser: Browser
  beforeAll(async () => {
    browser = await openChromium()
  })
  afterAll(() => browser?.close())

  async function open(look: Look, more = {}) {
    const context = await contextFor(browser, look, more)
    const page = await context.newPage()
    if (look.isMobile) await page.setViewportSize(PHONE)
    const foreign: string[] = []
    page.on('request', (request) => {
      const url = request.url()
      if (![apiUrl(), refusing, making].includes(new URL(url).origin)) foreign.push(url)
    })
    return { context, page, foreign }
  }

  for (const look of LOOKS)
    test(`every status has a page that can be read by everyone: ${look.name}`, async () => {
      const { context, page, foreign } = await open(look)
      for (const status of STATUSES) {
        const answer = await page.goto(`${refusing}/papers/${status}`)
        expect([status, answer?.status()]).toEqual([status, Number(status)])
        await picture(page, `error-${status}-${look.name}`)
        expect([status, await faultsOf(page)]).toEqual([status, []])
      }
      const unknown = await page.goto(`${apiUrl()}/no-such-place`)
      expect(unknown?.status()).toBe(404)
      await page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
      await picture(page, `error-unknown-${look.name}`)
      expect(foreign).toEqual([])
      await context.close()
    })

  test('"Try again" asks for the same address once more', async () => {
    const { context, page } = await open(LOOKS[2] as Look)
    await page.goto(`${refusing}/papers/503?page=2`)
    const [again] = await Promise.all([
      page.waitForRequest((request) => request.isNavigationRequest()),
      page.getByRole('link', { name: 'Try again' }).click(),
    ])
    expect(again.url()).toBe(`${refusing}/papers/503?page=2`)
    await context.close()
  })

  for (const look of LOOKS)
    test(`a form that came back has the focus on what is wrong, and keeps what was typed: ${look.name}`, async () => {
      const { context, page } = await open(look)
      const value = await makeSession((await makeUser()).id)
      await context.addCookies([{ name: 'session', value, url: making, httpOnly: true, sameSite: 'Lax' }])
      await page.goto(`${making}/things/one`)
      await picture(page, `form-${look.name}`)
      await page.getByLabel('Name').fill('odd')
      await page.getByLabel('Seats').fill('')
      await page.getByLabel('Begins at').fill('2031-05-01T18:30')
      await page.getByLabel('Open to everyone').uncheck()
      await page.getByLabel('Blue').check()
      await page.getByRole('main').getByRole('button').click()
      const alert = page.getByRole('alert')
      await alert.getByText('The name must not be odd.').waitFor()
      expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert')
      await picture(page, `form-refused-${look.name}`)
      expect(await faultsOf(page)).toEqual([])
      // From the summary to the field by keyboard alone.
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Control+A')
      await page.keyboard.type('even')
      await page.keyboard.press('Enter')
      await page.waitForURL(`${making}/things/one?made=true`)
      expect(made.at(-1)).toEqual({
        slug: 'one',
        name: 'even',
        seats: null,
        isOpen: false,
        isLoud: false,
        tags: ['blue'],
        startsAt: '2031-05-01T18:30Z',
        kind: 'tall',
        links: [],
        again: [],
        note: '',
      })
      await context.close()
    })
})
