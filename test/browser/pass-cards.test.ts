import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Server } from 'bun'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { config } from '@/config/config'
import { CARD_HEADERS, type Card } from '@/modules/passes/card/document'
import { html } from '@/web/html'
import {
  blankTagPage,
  notInUsePage,
  ownPassPage,
  personCard,
  strangerCard,
  tooFastPage,
  unknownPassPage,
} from '../modules/passes/card/in-english'
import { ownedPass } from '../modules/passes/card/passes'
import { faultsOf, hasChromium, openChromium, picture } from '../support/browser'
import { HOSTILE_TEXTS } from '../support/hostile-texts'
import { png } from '../support/uploads'
import { inPage, openQuietly, seriousIn } from './widgets'

const TOKEN = html`<input type="hidden" name="csrf" value="a">`
const NEW = { formToken: TOKEN, connected: false, recordedNow: false, follows: false }
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft '
const BIO = 'Gardener, amateur astronomer, terrible at chess.\nAsk me about tomatoes.'
const uploaded = (category: string) => `${config.baseUrl}/v1/uploads/file/${category}/${'A'.repeat(22)}/a.png`

/** Everything that a tap can show. */
function cases(): Record<string, Card> {
  const avatarUrl = uploaded('avatar')
  const friend = ownedPass({ owner: { themeColor: 'sky', avatarUrl } })
  return {
    stranger: strangerCard(ownedPass({ owner: { bio: BIO } })),
    contact: strangerCard(
      ownedPass({ pass: { action: 'contact' }, owner: { themeColor: 'ocean', avatarUrl } }),
    ),
    follow: strangerCard(ownedPass({ pass: { action: 'follow' }, owner: { themeColor: 'violet' } })),
    connected: personCard(friend, { ...NEW, connected: true, recordedNow: true }),
    known: personCard(friend, { ...NEW, connected: true, follows: true }),
    linked: personCard(ownedPass({ owner: { themeColor: 'rose' } }), NEW),
    private: strangerCard(ownedPass({ owner: { isPublic: false } })),
    designed: strangerCard(
      ownedPass({
        owner: { avatarUrl },
        design: { imageUrl: uploaded('meetpass-image'), themeColor: 'sunset' },
      }),
    ),
    long: strangerCard(
      ownedPass({
        owner: {
          name: LONG.repeat(3).slice(0, 200),
          username: 'u'.repeat(30),
          bio: LONG.repeat(7).slice(0, 500),
          location: 'M'.repeat(100),
          socialLinks: [`https://ok.example/${'a'.repeat(300)}`, `https://ok.example/?${'W'.repeat(300)}`],
          themeColor: 'slate',
        },
      }),
    ),
    wide: strangerCard(ownedPass({ owner: { name: 'W'.repeat(200), bio: 'M'.repeat(500) } })),
    arabic: strangerCard(
      ownedPass({
        owner: {
          name: 'فاطمة الزهراء بنت محمد',
          bio: 'مهندسة برمجيات من الدار البيضاء.',
          location: 'الدار البيضاء',
          themeColor: 'forest',
        },
      }),
    ),
    bare: strangerCard(
      ownedPass({ owner: { name: 'Bo', bio: null, location: null, username: null, socialLinks: null } }),
    ),
    own: ownPassPage(ownedPass({ pass: { label: 'Blue lanyard', autoFollow: true } }), {
      people: 27,
      all: 40,
    }),
    blank: blankTagPage('abcd2345efgh6789', null),
    claim: blankTagPage('abcd2345efgh6789', TOKEN),
    unknown: unknownPassPage(),
    off: notInUsePage(),
  }
}

describe.skipIf(!hasChromium)('what a tap shows, in a browser', () => {
  let browser: Browser
  let server: Server<undefined>
  const shown = new Map<string, Card>()
  const send = ({ status, body }: Card) => new Response(body, { status, headers: CARD_HEADERS })

  beforeAll(async () => {
    browser = await openChromium()
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url }) => {
        const { pathname } = new URL(url)
        if (pathname.startsWith('/v1/uploads/file/'))
          return new Response(png(320, 180), { headers: { 'content-type': 'image/png' } })
        return send(shown.get(pathname.slice(1)) ?? unknownPassPage())
      },
    })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop(true)
  })

  const at = (name: string) => `http://127.0.0.1:${server.port}/${name}`
  const open = async (options?: BrowserContextOptions) => {
    const opened = await openQuietly(browser, [`http://127.0.0.1:${server.port}`], options)
    return { ...opened, noise: () => opened.seen.filter((line) => !/status of 4\d\d/.test(line)) }
  }

  for (const colorScheme of ['light', 'dark'] as const)
    test(`is cared for in every case, on a phone and at a desk: ${colorScheme}`, async () => {
      const all = cases()
      for (const [name, card] of Object.entries(all)) shown.set(name, card)
      const { context, page, noise } = await open({ colorScheme })
      for (const width of [280, 360, 1280]) {
        await page.setViewportSize({ width, height: 740 })
        for (const name of Object.keys(all)) {
          await page.goto(at(name))
          const where = `${name} ${width} ${colorScheme}`
          // Before the picture: for a whole page it changes the height of the window, and what is centred moves with it.
          const [shift, small] = await inPage<[number, string[]]>(
            page,
            `new Promise((resolve) => {
              let shift = 0
              new PerformanceObserver((list) => {
                for (const { value } of list.getEntries()) shift += value
              }).observe({ type: 'layout-shift', buffered: true })
              const small = [...document.querySelectorAll('a, button')]
                .filter((target) => target.getBoundingClientRect().height < 44)
                .map((target) => target.outerHTML)
              requestAnimationFrame(() => setTimeout(() => resolve([shift, small])))
            })`,
          )
          expect([where, shift, small]).toEqual([where, 0, []])
          await picture(page, `pass-${name}-${width}-${colorScheme}`)
          expect([where, await faultsOf(page)]).toEqual([where, []])
          if (width !== 280) expect([where, await seriousIn(page)]).toEqual([where, []])
        }
      }
      expect(noise()).toEqual([])
      await context.close()
    }, 180_000)

  test('runs nothing of what people typed, and shows it as it is', async () => {
    const { context, page, noise, seen } = await open()
    await page.exposeFunction('hostile', () => seen.push('hostile() was called'))
    const texts = HOSTILE_TEXTS.filter(
      (text) => text.trim() !== '' && text.isWellFormed() && text.length < 200,
    )
    for (const text of texts) {
      const owner = {
        name: text,
        bio: text,
        location: text,
        username: text,
        socialLinks: [text],
        avatarUrl: text,
      }
      shown.set('hostile', strangerCard(ownedPass({ owner })))
      await page.goto(at('hostile'))
      // What HTML itself makes of line ends and NUL.
      const read = text.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '')
      expect(
        await inPage<string[]>(
          page,
          `['h1', '.bio'].map((part) => document.querySelector(part).textContent)`,
        ),
      ).toEqual([read, read])
      const elsewhere = await inPage<string[]>(
        page,
        `[...document.querySelectorAll('[href], [src], [action]')].map((one) => one.href || one.src || one.action).filter((address) => !/^(https?|data):/.test(address))`,
      )
      expect(elsewhere).toEqual([])
    }
    expect(noise()).toEqual([])
    await context.close()
  }, 120_000)

  test('asks again by itself after too many taps', async () => {
    shown.set('busy', tooFastPage())
    const { context, page } = await open({ javaScriptEnabled: false })
    await page.goto(at('busy'))
    await picture(page, 'pass-busy')
    expect(await page.locator('h1').textContent()).toBe('One moment')
    shown.set('busy', strangerCard(ownedPass()))
    await page.locator('.who').waitFor()
    expect(await page.locator('h1').textContent()).toBe('Ada Okafor')
    await context.close()
  }, 30_000)

  test('is used by keyboard, from what comes first', async () => {
    shown.set('first', strangerCard(ownedPass({ pass: { action: 'follow' } })))
    const { context, page } = await open()
    await page.goto(at('first'))
    const order: (string | null)[] = []
    for (let i = 0; i < 6; i += 1) {
      await page.keyboard.press('Tab')
      order.push(await page.locator(':focus').textContent())
    }
    expect(order).toEqual([
      ...[
        'Follow',
        'Sign in to stay connected',
        'Save contact',
        'ada.example',
        'github.com/ada-okafor',
        config.siteName,
      ],
    ])
    await context.close()
  }, 30_000)
})
