import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Demo } from '@/demo/tokens'
import { bootstrap } from './bootstrap'

/*
 * Takes pictures of the pages of a fresh demo community: of all of them in every look, or with `--readme` of those that the
 * README shows.
 *
 *   bun run screenshots [folder]
 *   bun run screenshots --readme
 */

process.chdir(join(import.meta.dir, '..'))
await bootstrap({ development: true })
const { default: sharp } = await import('sharp')
const { hasChromium, openChromium } = await import('./screenshots/chromium')
const { demoPages, READERS } = await import('./screenshots/pages')
const { signInAs } = await import('./screenshots/sign-in')
if (!hasChromium) {
  console.error('There is no Chromium here: install it, or set CHROMIUM to its path.')
  process.exit(1)
}

const forReadme = process.argv.includes('--readme')
const chosen = process.argv.slice(2).find((word) => !word.startsWith('--'))
const folder = resolve(chosen ?? (forReadme ? 'docs/pictures' : 'screenshots'))
const WIDTHS = { phone: 360, tablet: 768, desk: 1280 }
/** Screenshots of the README: page, viewport and color scheme. */
const SHOWN: [string, keyof typeof WIDTHS, 'light' | 'dark'][] = [
  ['home', 'desk', 'light'],
  ['event', 'desk', 'light'],
  ['event-mine', 'phone', 'dark'],
  ['group', 'phone', 'light'],
  ['leaderboard', 'phone', 'light'],
  ['manage-event', 'phone', 'light'],
  ['badges', 'desk', 'dark'],
]

const data = mkdtempSync(join(tmpdir(), 'folkmoot-screenshots-'))
const port = 20_000 + Math.floor(Math.random() * 20_000)
const server = Bun.spawn([process.execPath, 'scripts/up.ts'], {
  env: { ...process.env, PORT: String(port), DATA_DIR: data },
  stdout: 'ignore',
  stderr: 'inherit',
})
try {
  const demo = await introduced(join(data, 'demo.json'))
  mkdirSync(folder, { recursive: true })
  const browser = await openChromium()
  const pages = await demoPages(demo, demo.baseUrl)
  const sessions = new Map<string, string>()
  for (const [reader, username] of Object.entries(READERS))
    sessions.set(reader, await signInAs(username, demo.baseUrl))
  let count = 0
  for (const [look, width] of Object.entries(WIDTHS))
    for (const colorScheme of ['light', 'dark'] as const)
      for (const reader of ['stranger', ...Object.keys(READERS)]) {
        const context = await browser.newContext({
          colorScheme,
          viewport: { width, height: width < 700 ? 740 : 800 },
          deviceScaleFactor: forReadme && width < 700 ? 2 : 1,
          timezoneId: 'Europe/Berlin',
        })
        const session = sessions.get(reader)
        if (session) await context.addCookies([{ name: 'session', value: session, url: demo.baseUrl }])
        const tab = await context.newPage()
        for (const { name, path, as } of pages) {
          if (as !== reader) continue
          if (
            forReadme &&
            !SHOWN.some(([page, at, by]) => page === name && at === look && by === colorScheme)
          )
            continue
          await tab.goto(demo.baseUrl + path, { waitUntil: 'networkidle' })
          const file = forReadme ? `${name}.png` : `${name}-${look}-${colorScheme}.png`
          const picture = await tab.screenshot({ fullPage: !forReadme })
          await sharp(picture).png({ palette: true }).toFile(join(folder, file))
          count += 1
        }
        await context.close()
      }
  await browser.close()
  console.log(`${count} pictures in ${folder}`)
} finally {
  server.kill()
  await server.exited
  rmSync(data, { recursive: true, force: true })
}

async function introduced(file: string): Promise<Demo> {
  while (!existsSync(file)) {
    if (server.exitCode !== null) throw new Error('The demo community did not start')
    await Bun.sleep(100)
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Demo
}
