import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { faultsOf, hasChromium, openChromium, picture, startForBrowser } from '../support/browser'
import { HOSTILE_TEXTS } from '../support/hostile-texts'
import { makeEvent, makeGroup } from '../support/make'
import { type ServerProcess, until } from '../support/processes'
import { inHours } from '../support/time'
import { inPage, makeCommunity, openQuietly, seriousIn } from './widgets'

const WIDTHS = [280, 320, 360, 768, 1200]
const SCHEMES = ['light', 'dark'] as const

describe.skipIf(!hasChromium)('widgets in a browser', () => {
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

  const open = (options?: BrowserContextOptions) => openQuietly(browser, [server.url], options)

  for (const colorScheme of SCHEMES)
    test(`are cared for at every width and in every state: ${colorScheme}`, async () => {
      const { group, events } = await makeCommunity(server.url)
      const empty = await makeGroup({ name: 'A new group' })
      const off = await makeEvent(group.id, {
        title: 'A picnic in the rain',
        status: 'cancelled',
        cancelReason: 'The river is over its banks, and nobody knows where the meadow is. '.repeat(5),
        startTime: inHours(400),
      })
      const over = await makeEvent(group.id, { title: 'The founding', startTime: inHours(-90) })
      const states: Record<string, string> = {
        next: `next-event?groups=${group.urlname}`,
        carousel: `carousel?groups=${group.urlname}`,
        arabic: `next-event?event=${events[1]?.id}`,
        long: `next-event?event=${events[2]?.id}`,
        wide: `next-event?event=${events[5]?.id}`,
        picture: `next-event?event=${events[4]?.id}`,
        cancelled: `next-event?event=${off.id}`,
        over: `next-event?event=${over.id}`,
        missing: 'next-event?event=nonsense',
        empty: `carousel?groups=${empty.urlname}`,
      }
      const { context, page, seen } = await open({ colorScheme })
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 400 })
        for (const [state, address] of Object.entries(states)) {
          await page.goto(`${server.url}/widget/${address}`)
          const where = `${state} ${width} ${colorScheme}`
          await picture(page, `widget-${state}-${width}-${colorScheme}`)
          expect([where, await faultsOf(page)]).toEqual([where, []])
          if (width === 320 || width === 1200) expect([where, await seriousIn(page)]).toEqual([where, []])
        }
      }
      // A theme that the page asks for counts more than what the reader prefers.
      for (const theme of SCHEMES) {
        await page.goto(`${server.url}/widget/carousel?groups=${group.urlname}&theme=${theme}`)
        const paper = await inPage(page, `getComputedStyle(document.querySelector('.card')).backgroundColor`)
        expect([theme, paper]).toEqual([theme, theme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(31, 34, 40)'])
      }
      expect(seen).toEqual([])
      expect(await context.cookies()).toEqual([])
      await context.close()
    }, 120_000)

  test('run nothing of what people typed, and show it as it is', async () => {
    const storable = HOSTILE_TEXTS.filter(
      (text) => text.trim() !== '' && !text.includes('\0') && text.isWellFormed(),
    )
    const { context, page, seen } = await open()
    await page.exposeFunction('hostile', () => seen.push('hostile() was called'))
    const lines = (text: string) => text.replaceAll(/\r\n?/g, '\n')
    for (let from = 0; from < storable.length; from += 10) {
      const some = storable.slice(from, from + 10)
      const [first = ''] = some
      const group = await makeGroup({ name: first })
      const ids = []
      for (const [i, text] of some.entries()) {
        const fields = { title: text, description: text, venueName: text, venueCity: text, photoUrl: text }
        ids.push((await makeEvent(group.id, { ...fields, startTime: inHours(i + 1) })).id)
      }
      await page.goto(`${server.url}/widget/carousel?groups=${group.urlname}`)
      const shown = await inPage<string[][]>(
        page,
        `[...document.querySelectorAll('article')].map((card) =>
          ['h2 a', '.where', '.group'].map((part) => card.querySelector(part).textContent))`,
      )
      expect(shown).toEqual(some.map((text) => [text, `${text}, ${text}`, first].map(lines)))
      await page.goto(`${server.url}/widget/next-event?event=${ids[0]}`)
      expect(await inPage<string>(page, `document.querySelector('h2 a').textContent`)).toBe(lines(first))
      const excerpt = await inPage<string>(page, `document.querySelector('.excerpt').textContent`)
      if (first.length < 200) expect(excerpt).toBe(first.replaceAll(/\s+/g, ' ').trim())
      const links = await inPage<string[]>(
        page,
        `[...document.querySelectorAll('a')].map(({ href }) => href)`,
      )
      expect(links.filter((href) => !href.replace('webcal:', 'http:').startsWith(`${server.url}/`))).toEqual(
        [],
      )
    }
    expect(seen).toEqual([])
    expect(await context.cookies()).toEqual([])
    await context.close()
  }, 120_000)

  test('are used by keyboard, with the script and without it', async () => {
    const { group } = await makeCommunity(server.url)
    for (const javaScriptEnabled of [true, false]) {
      const { context, page, seen } = await open({
        javaScriptEnabled,
        reducedMotion: 'reduce',
        viewport: { width: 700, height: 600 },
      })
      const at = () => page.locator('.track').evaluate(({ scrollLeft }) => scrollLeft)
      const turns = page.locator('.turn:visible')
      await page.goto(`${server.url}/widget/carousel?groups=${group.urlname}`)
      await until(
        'the buttons are as they should be',
        async () => (await turns.count()) === (javaScriptEnabled ? 2 : 0),
      )
      if (javaScriptEnabled) {
        await page.keyboard.press('Tab')
        await page.keyboard.press('Tab')
        expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Later events')
        await page.keyboard.press('Enter')
        await until('it turned', async () => (await at()) > 300)
        await page.keyboard.press('Shift+Tab')
        await page.keyboard.press('Enter')
        await until('it turned back', async () => (await at()) < 8)
        await page.keyboard.press('Tab')
      }
      await page.keyboard.press('Tab')
      expect(await page.locator('.track:focus').count()).toBe(1)
      await page.keyboard.press('ArrowRight')
      await until('it scrolled', async () => (await at()) > 0)
      // Whoever has the focus is in sight.
      for (let i = 0; i < 10; i += 1) {
        await page.keyboard.press('Tab')
        const box = await page.locator('li :focus').boundingBox()
        expect([i, box !== null && box.x >= -1 && box.x < 700]).toEqual([i, true])
      }
      await page.keyboard.press('Tab')
      expect(await page.locator(':focus').textContent()).toBe('All events')
      const region = page.getByRole('region', { name: 'Upcoming events of Lisbon Rust & Friends' })
      expect([await region.count(), await region.getByRole('listitem').count()]).toEqual([1, 11])
      expect(seen).toEqual([])
      await context.close()
    }
  }, 60_000)

  test('say the time of the reader where it is another one', async () => {
    const { group } = await makeCommunity(server.url)
    const yours = async (timezoneId: string) => {
      const { context, page } = await open({ timezoneId })
      await page.goto(`${server.url}/widget/next-event?groups=${group.urlname}`)
      const texts = await page.locator('.yours:visible').allTextContents()
      await context.close()
      return texts
    }
    expect(await yours('Europe/Lisbon')).toEqual([])
    expect(await yours('Asia/Tokyo')).toEqual([expect.stringMatching(/^\w{3} \d\d:\d\d in your time zone$/)])
  })

  test('can be read in forced colours and on paper', async () => {
    const { group } = await makeCommunity(server.url)
    const { context, page, seen } = await open({ viewport: { width: 700, height: 600 } })
    for (const name of ['next-event', 'carousel']) {
      await page.emulateMedia({ media: 'screen', forcedColors: 'active' })
      await page.goto(`${server.url}/widget/${name}?groups=${group.urlname}`)
      await picture(page, `widget-${name}-forced`)
      await page.emulateMedia({ media: 'print', forcedColors: 'none' })
      await picture(page, `widget-${name}-print`)
      // Nobody scrolls on paper.
      const lost = await inPage<number>(
        page,
        `[...document.querySelectorAll('article')].filter((one) => one.getBoundingClientRect().right > innerWidth).length`,
      )
      expect([name, lost]).toEqual([name, 0])
    }
    expect(seen).toEqual([])
    await context.close()
  })

  test('stay as they are for somebody whose page was opened long ago', async () => {
    const { group } = await makeCommunity(server.url)
    const { context, page } = await open()
    const address = `${server.url}/widget/carousel?groups=${group.urlname}`
    const first = await (await page.goto(address))?.text()
    expect(await (await page.goto(address))?.text()).toBe(first as string)
    await context.close()
  })
})
