import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { hasChromium, openChromium, picture, startForBrowser } from '../support/browser'
import { ownDatabase, type ServerProcess, startWorker } from '../support/processes'
import { type Seeded, seedPeople } from '../support/seed'
import { png } from '../support/uploads'

/** The page of the documentation, as printed. */
const [, PRINTED = ''] =
  /^```html\n(<!doctype html>.*?)^```$/ms.exec(
    readFileSync(join(import.meta.dir, '../../docs/uploads.md'), 'utf8'),
  ) ?? []

const SHOWN = `picture.src.endsWith('?w=320') && picture.complete && picture.naturalWidth > 0`

describe.skipIf(!hasChromium)('the page of docs/uploads.md, on another origin', () => {
  let [browser, server, worker]: [Browser?, ServerProcess?, ReturnType<typeof startWorker>?] = []
  let html = ''
  let workerEnvironment: Record<string, string> = {}
  const host = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(html, { headers: { 'content-type': 'text/html' } }),
  })

  beforeAll(async () => {
    const databaseUrl = await ownDatabase()
    server = await startForBrowser({ DATABASE_URL: databaseUrl })
    workerEnvironment = { FOLKMOOT_MODE: 'test', DATABASE_URL: databaseUrl, BASE_URL: server.url }
    worker = startWorker(workerEnvironment)
    const [owner] = (await seedPeople(databaseUrl, 1, ['write:uploads'])) as [Seeded]
    html = PRINTED.replace('http://127.0.0.1:3000', server.url).replace('YOUR_TOKEN', owner.token)
    browser = await openChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await worker?.stop('SIGKILL')
    await server?.stop('SIGKILL')
    await host.stop(true)
  })

  /** The page, with all that its progress bar has shown. */
  async function open() {
    const context = await (browser as Browser).newContext()
    const page = await context.newPage()
    await page.goto(`http://localhost:${host.port}`)
    await page.evaluate(`shown = []; new MutationObserver(() => shown.push(progress.hidden ? 'hidden' : progress.value))
      .observe(progress, { attributes: true })`)
    return page
  }
  const choose = (page: Page, name: string, mimeType: string, bytes: Uint8Array) =>
    page.locator('#file').setInputFiles({ name, mimeType, buffer: Buffer.from(bytes) })

  test('sends a picture with progress, and shows it', async () => {
    const page = await open()
    await choose(page, 'photo.png', 'image/png', png(800, 600))
    await page.waitForFunction(SHOWN)
    expect(await page.evaluate('picture.naturalWidth')).toBe(320)
    expect(await page.evaluate('picture.src')).toStartWith(`${server?.url}/v1/uploads/file/media/`)
    const shown = (await page.evaluate('shown')) as (number | string)[]
    expect(shown).toContain(1)
    expect(shown.at(-1)).toBe('hidden')
    expect(await page.locator('#error').textContent()).toBe('')
    await picture(page, 'uploads-page')

    await choose(page, 'next.png', 'image/png', png(400, 300))
    await page.waitForFunction(`${SHOWN} && shown.at(-1) === 'hidden' && shown.length > ${shown.length}`)
    const next = ((await page.evaluate('shown')) as (number | string)[]).slice(shown.length)
    expect(next[0]).toBe(0)
    await page.context().close()
  })

  test('waits for a check that takes longer than the answer, with its preview', async () => {
    await worker?.stop('SIGKILL')
    const pages = [await open(), await open()] as const
    const answered = pages.map((page) =>
      Promise.all([
        page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.status() === 202),
        page.waitForResponse((answer) => answer.url().includes('/file/') && answer.status() === 404),
      ]),
    )
    await choose(pages[0], 'photo.png', 'image/png', png(800, 600))
    await choose(pages[1], 'photo.png', 'image/png', Buffer.from('<html>no picture</html>'))
    await Promise.all(answered)
    for (const page of pages) {
      expect(await page.evaluate('picture.hidden')).toBe(false)
      expect(await page.evaluate('picture.src')).toStartWith('blob:')
    }
    worker = startWorker(workerEnvironment)
    await pages[0].waitForFunction(SHOWN)
    await pages[1].getByText('This file was refused: The file is').waitFor()
    expect(await pages[1].locator('#picture').isHidden()).toBe(true)
    for (const page of pages) await page.context().close()
  }, 90_000)

  test('says what is wrong with a file', async () => {
    const page = await open()
    await choose(page, 'photo.png', 'image/png', Buffer.from('<html>no picture</html>'))
    await page.getByText('not a PNG picture').waitFor()
    await choose(page, 'photo.tiff', 'image/tiff', png())
    await page.getByText('contentType must be').waitFor()
    expect(await page.locator('#picture').isHidden()).toBe(true)
    await page.context().close()
  })

  test('stops on request', async () => {
    const page = await open()
    // The bytes go so slowly that there is time to change one's mind.
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 100_000 },
    })
    await choose(page, 'photo.png', 'image/png', crypto.getRandomValues(new Uint8Array(60_000)).fill(7, 0, 8))
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped').waitFor()
    expect(await page.locator('#progress').isHidden()).toBe(true)
    await page.context().close()
  })
})
