import { readFileSync } from 'node:fs'
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { makeEvent, makeGroup, makeUser } from '../support/make'
import { makeUpload } from '../support/make-upload'
import { inHours } from '../support/time'
import { png } from '../support/uploads'

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core calls serious or critical. */
export async function seriousIn(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return inPage(
    page,
    `axe.run().then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html)))`,
  )
}

/** What an expression gives in a page. */
export const inPage = <T>(page: Page | Frame, expression: string): Promise<T> => page.evaluate(expression)

/** A page that writes down whatever a quiet widget does not do. */
export async function openQuietly(browser: Browser, origins: string[], options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ locale: 'de-DE', timezoneId: 'Europe/Berlin', ...options })
  const page = await context.newPage()
  const seen: string[] = []
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (!message.location().url.endsWith('/favicon.ico')) seen.push(`console ${message.text()}`)
  })
  page.on('pageerror', (error) => seen.push(`error ${error.message}`))
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (!origins.includes(origin) && protocol !== 'webcal:') seen.push(`request ${request.url()}`)
  })
  return { context, page, seen }
}

const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft '

/** A community with everything that is hard to show. */
export async function makeCommunity(base: string) {
  const group = await makeGroup({ name: 'Lisbon Rust & Friends' })
  const owner = await makeUser()
  const photo = await makeUpload(owner.id, {
    category: 'event-photo',
    contentType: 'image/png',
    content: png(320, 180, [214, 140, 70]),
    width: 320,
    height: 180,
  })
  const texts = [
    {
      title: 'Borrow checkers anonymous: an evening with lifetimes',
      venueName: 'Fábrica do Braço de Prata',
      venueCity: 'Lisboa',
      timezone: 'Europe/Lisbon',
      description:
        'Bring a program that the compiler refuses, and leave with one that it likes.\n\nBeginners are welcome; there is soup.',
    },
    {
      title: 'مساء البرمجة: مقدمة إلى لغة رست للمبتدئين',
      venueName: 'مكتبة الإسكندرية',
      venueCity: 'الإسكندرية',
      timezone: 'Africa/Cairo',
    },
    { title: `${LONG}${LONG}`.slice(0, 200).trim(), venueName: LONG, timezone: 'Europe/Vienna' },
    { title: 'Office hours', eventType: 'online' as const, timezone: 'Asia/Kathmandu' },
    {
      title: 'With a picture',
      photoUrl: `${base}/v1/uploads/file/${photo.key}`,
      eventType: 'hybrid' as const,
      venueName: 'The hall',
      timezone: 'America/New_York',
      endTime: inHours(170),
    },
    { title: 'WWWWWWWW '.repeat(22).trim(), venueName: 'M'.repeat(200), timezone: 'UTC' },
    ...Array.from({ length: 5 }, (_, i) => ({
      title: `Meetup number ${i + 7}`,
      venueName: 'Old Mill',
      timezone: 'Europe/Berlin',
    })),
  ]
  const events = []
  for (const [i, fields] of texts.entries())
    events.push(await makeEvent(group.id, { startTime: inHours(20 + i * 30), ...fields }))
  return { group, events }
}
