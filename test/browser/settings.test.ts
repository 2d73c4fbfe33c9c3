import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Browser } from 'playwright-core'
import { db } from '@/db/client'
import { users } from '@/db/tables/users'
import { PAGES, settingsPath } from '@/site/settings/addresses'
import { decoded } from '../modules/passes/symbols/decoded'
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
import { makeSession, makeUser } from '../support/make'
import { type ServerProcess, startWorker } from '../support/processes'
import { png } from '../support/uploads'

describe.skipIf(!hasChromium)('settings in a browser', () => {
  let browser: Browser
  let server: ServerProcess
  let worker: ReturnType<typeof startWorker>
  const file = join(mkdtempSync(join(tmpdir(), 'folkmoot-settings-')), 'me.png')
  beforeAll(async () => {
    writeFileSync(file, png(200, 200))
    browser = await openChromium()
    const database = { DATABASE_URL: process.env.DATABASE_URL as string }
    server = await startForBrowser(database)
    worker = startWorker({ FOLKMOOT_MODE: 'test', ...database, BASE_URL: server.url })
  })
  afterAll(async () => {
    await browser?.close()
    await worker?.stop('SIGKILL')
    await server?.stop('SIGKILL')
  })

  async function signedIn(look = LOOKS[0] as Look, more = {}) {
    const user = await makeUser({ name: 'Ada Okafor', bio: 'Long words: Donaudampfschifffahrtsgesellschaft' })
    const context = await contextFor(browser, look, more)
    const cookie = async () => ({
      ...{ name: 'session', value: await makeSession(user.id), url: server.url },
      ...{ httpOnly: true, sameSite: 'Lax' as const },
    })
    await context.addCookies([await cookie()])
    return { user, context, cookie, page: await context.newPage() }
  }

  for (const [place, look] of LOOKS.entries())
    test(`every page can be read and used by everyone: ${look.name}`, async () => {
      const { context, page } = await signedIn(look, { locale: place % 2 === 0 ? 'de' : 'en' })
      for (const name of PAGES) {
        await page.goto(server.url + settingsPath(name))
        for (const summary of await page.locator('main summary').all()) await summary.click()
        await picture(page, `settings-${name}-${look.name}`)
        expect([name, await faultsOf(page)]).toEqual([name, []])
      }
      await context.close()
    })

  test('the menu opens by its button and closes by Escape and by a click elsewhere, without script', async () => {
    const { context, page } = await signedIn(LOOKS[0], { javaScriptEnabled: false })
    await page.goto(server.url)
    const button = page.getByRole('button', { name: 'Your account' })
    const menu = page.getByRole('navigation', { name: 'Your account' })
    for (const leave of [() => page.keyboard.press('Escape'), () => page.mouse.click(5, 500)]) {
      await button.press('Enter')
      await menu.waitFor()
      await leave()
      await menu.waitFor({ state: 'hidden' })
    }
    await context.close()
  })

  test('a pass that is held up is read by a camera, by night as well', async () => {
    const { context, page } = await signedIn(LOOKS[1])
    await page.goto(`${server.url}/settings/passes`)
    const [, id] = /\/pass\/(\w+)\/qr\.svg/.exec(await page.content()) as RegExpExecArray
    await page.getByRole('link', { name: 'Show it large' }).click()
    expect(await decoded(await page.screenshot())).toBe(`${server.url}/pass/${id}`.toUpperCase())
    await context.close()
  })

  for (const javaScriptEnabled of [true, false])
    test(`a picture is sent ${javaScriptEnabled ? 'with' : 'without'} script, and a bad one is refused in words`, async () => {
      const { context, page } = await signedIn(LOOKS[0], { javaScriptEnabled })
      await page.goto(`${server.url}/settings/profile`)
      await page.getByLabel('Picture', { exact: true }).setInputFiles(file)
      await page.getByRole('button', { name: 'Save profile' }).click()
      await page.getByRole('status').getByText('Saved.').waitFor()
      await page.locator('main img.face[src^="/v1/uploads/file/avatar/"]').waitFor()
      const bad = { name: 'bad.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') }
      await page.getByLabel('Picture', { exact: true }).setInputFiles(bad)
      await page.getByRole('button', { name: 'Save profile' }).click()
      await page.getByRole('alert').waitFor()
      await context.close()
    })

  test('what was typed survives the end of the session', async () => {
    const { context, cookie, page, user } = await signedIn(LOOKS[0], { javaScriptEnabled: false })
    await page.goto(`${server.url}/settings/profile`)
    await page.getByLabel('About you').fill('An hour of work,\nin two lines')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Save profile' }).click()
    await page.getByRole('heading', { name: 'Your sign-in has ended' }).waitFor()
    await context.addCookies([await cookie()])
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByRole('heading', { name: 'Check and send' }).waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('status').getByText('Saved.').waitFor()
    const [now] = await db.select().from(users).where(eq(users.id, user.id))
    expect(now?.bio).toBe('An hour of work,\nin two lines')
    await context.close()
  })
})
