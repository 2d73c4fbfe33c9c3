import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { hasChromium, openChromium } from '../../scripts/screenshots/chromium'
import { ownDatabase, type ServerProcess, startServer } from './processes'
import { freePort } from './redis'

export { hasChromium, openChromium }

/** Where there is no browser to look with, that is said aloud. */
if (!hasChromium)
  console.log('\n!! No Chromium was found (set CHROMIUM to its path): the browser tests were SKIPPED.\n')

export type Look = { name: string; colorScheme: 'light' | 'dark'; isMobile: boolean }

/** How people see a page: on a phone and at a desk, by day and by night. */
export const LOOKS: Look[] = [
  { name: 'phone-light', colorScheme: 'light', isMobile: true },
  { name: 'phone-dark', colorScheme: 'dark', isMobile: true },
  { name: 'desk-light', colorScheme: 'light', isMobile: false },
  { name: 'desk-dark', colorScheme: 'dark', isMobile: false },
]

export const contextFor = (
  browser: Browser,
  { colorScheme, isMobile }: Look,
  more: BrowserContextOptions = {},
): Promise<BrowserContext> =>
  browser.newContext({
    ...more,
    colorScheme,
    isMobile,
    hasTouch: isMobile,
    viewport: isMobile ? { width: 390, height: 844 } : { width: 1280, height: 800 },
    deviceScaleFactor: isMobile ? 2 : 1,
  })

/** A server that knows the address under which the browser calls it, keeps mail in memory and counts no limits. */
export async function startForBrowser(environment: Record<string, string> = {}): Promise<ServerProcess> {
  const port = String(await freePort())
  return startServer({
    FOLKMOOT_MODE: 'test',
    DATABASE_URL: await ownDatabase(),
    PORT: port,
    BASE_URL: `http://127.0.0.1:${port}`,
    ...environment,
  })
}

/** Pictures go where a person can look at them: to `SCREENSHOTS`, or to a folder of this run. */
const folder = process.env.SCREENSHOTS ?? mkdtempSync(join(tmpdir(), 'folkmoot-pages-'))

export const picture = (page: Page, name: string) =>
  page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })

const FAULTS = readFileSync(join(import.meta.dir, 'page-faults.js'), 'utf8')

/** What is wrong with a page for people who see little, use a keyboard, or have a narrow screen. */
export const faultsOf = (page: Page): Promise<string[]> => page.evaluate(FAULTS)

/** Runs in the page: what has the focus, and whether that can be seen. */
const FOCUSED = `(() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
  const name = document.activeElement.id || document.activeElement.textContent.trim()
  return { name, isSeen: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 }
})()`

export const focusOf = (page: Page): Promise<{ name: string; isSeen: boolean }> => page.evaluate(FOCUSED)

/** The mail to somebody, read where the demo shows it. */
export async function readMail({ url }: ServerProcess, email: string) {
  const mails = (await (await fetch(`${url}/dev/mailbox.json`)).json()) as { to: string; text: string }[]
  const text = mails.find(({ to }) => to === email)?.text ?? ''
  return { link: /http\S+/.exec(text)?.[0] as string, code: /^(\d{6})$/m.exec(text)?.[1] as string }
}
