import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { randomHex } from '@/core/codes'
import {
  contextFor,
  faultsOf,
  hasChromium,
  LOOKS,
  openChromium,
  picture,
  startForBrowser,
} from '../support/browser'
import type { ServerProcess } from '../support/processes'

describe.skipIf(!hasChromium)('a mail, as its reader sees it', () => {
  let browser: Browser
  let server: ServerProcess
  beforeAll(async () => {
    browser = await openChromium()
    server = await startForBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop('SIGKILL')
  })

  for (const look of LOOKS)
    test(`in the mailbox of the demo and alone: ${look.name}`, async () => {
      const email = `reader-${randomHex(4)}@folk.example`
      await fetch(`${server.url}/auth/email`, { method: 'POST', body: new URLSearchParams({ email }) })
      const [mail] = (
        (await (await fetch(`${server.url}/dev/mailbox.json`)).json()) as { to: string; html: string }[]
      ).filter(({ to }) => to === email)
      const context = await contextFor(browser, look)
      const page = await context.newPage()
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))

      // Readers of mail give it no address, no script and no network.
      await page.setContent(mail?.html ?? '')
      await picture(page, `mail-${look.name}`)
      expect(await faultsOf(page)).toEqual([])
      expect(asked).toEqual([])
      const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
      const [red = 0] = (ground.match(/\d+/g) ?? []).map(Number)
      expect(red > 128).toBe(look.colorScheme === 'light')

      await page.goto(`${server.url}/dev/mailbox`)
      await page.frameLocator('iframe.mail').first().locator('.code').waitFor()
      await picture(page, `mailbox-${look.name}`)
      expect(await faultsOf(page)).toEqual([])
      await page.frameLocator('iframe.mail').first().getByRole('link', { name: 'Sign in' }).click()
      await page.waitForURL(/\/auth\/email\/verify\?token=/)
      expect(asked.filter((url) => !url.startsWith(server.url))).toEqual([])
      await context.close()
    })
})
