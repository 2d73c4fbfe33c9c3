import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const executable = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path))

export const hasChromium = executable !== undefined

export const openChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: executable, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
