import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { LANGUAGES } from '@/words/language'
import { contextFor, faultsOf, hasChromium, LOOKS, openChromium, picture } from '../support/browser'
import { startDemoSite } from '../support/demo-site'
import { seriousIn } from './widgets'

describe.skipIf(!hasChromium)('every page, in a browser,', () => {
  let browser: Browser
  let site: Awaited<ReturnType<typeof startDemoSite>>
  beforeAll(async () => {
    browser = await openChromium()
    site = await startDemoSite()
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    await site.stop()
  })

  const looks = LANGUAGES.flatMap((language) => LOOKS.map((look) => ({ language, look, name: look.name })))

  test.each(looks)(
    'can be read and used by everyone: $language, $name',
    async ({ language, look }) => {
      const wrong: string[] = []
      for (const reader of new Set(site.pages.map(({ as }) => as))) {
        const pages = site.pages.filter(({ as }) => as === reader)
        const context = await contextFor(browser, look, { locale: language, extraHTTPHeaders: {} })
        const session = site.sessionOf(pages[0] as (typeof pages)[number])
        if (session) await context.addCookies([{ name: 'session', value: session, url: site.url }])
        const tab = await context.newPage()
        let at = ''
        const say = (fault: string) => wrong.push(`${at}: ${fault}`)
        tab.on('request', (request) => {
          if (!/^data:/.test(request.url()) && new URL(request.url()).origin !== site.url)
            say(`asked ${request.url()}`)
        })
        tab.on('console', (message) => {
          if (message.type() === 'error' && !/status of (404|410)/.test(message.text())) say(message.text())
        })
        tab.on('pageerror', (error) => say(error.message))
        for (const { name, path } of pages) {
          at = name
          await tab.goto(site.url + path)
          for (const fault of [...(await seriousIn(tab)), ...(await faultsOf(tab))]) say(fault.slice(0, 300))
          await picture(tab, `${name}-${language}-${look.name}`)
        }
        await context.close()
      }
      expect(wrong).toEqual([])
    },
    300_000,
  )
})
