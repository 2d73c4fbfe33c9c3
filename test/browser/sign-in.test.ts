import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { randomHex } from '@/core/codes'
import {
  contextFor,
  faultsOf,
  focusOf,
  hasChromium,
  LOOKS,
  type Look,
  openChromium,
  picture,
  readMail,
  startForBrowser,
} from '../support/browser'
import type { ServerProcess } from '../support/processes'

describe.skipIf(!hasChromium)('signing in, as a person does', () => {
  let browser: Browser
  let server: ServerProcess
  beforeAll(async () => {
    browser = await openChromium()
    server = await startForBrowser({
      GITHUB_CLIENT_ID: 'a',
      GITHUB_CLIENT_SECRET: 'b',
      GOOGLE_CLIENT_ID: 'a',
      GOOGLE_CLIENT_SECRET: 'b',
    })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop('SIGKILL')
  })

  const address = () => `browser-${randomHex(4)}@folk.example`

  const mailTo = (email: string) => readMail(server, email)

  /** A page that asks nobody else for anything, in the colours and the size of a look. */
  async function open(look: Look, path: string) {
    const context = await contextFor(browser, look)
    const page = await context.newPage()
    const foreign: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(server.url)) foreign.push(request.url())
    })
    page.on('console', (message) => {
      // Nobody has drawn an icon for the tab yet; browsers ask for one all the same.
      if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico'))
        complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(server.url + path)
    return { context, page, foreign, complaints }
  }

  const faultless = async (page: Page, name: string) => {
    await picture(page, name)
    expect([name, await faultsOf(page)]).toEqual([name, []])
  }

  /** Asked beside the page: its own rule lets no script fetch anything. */
  const whoami = async (context: BrowserContext) =>
    (await (await context.request.get(`${server.url}/v1/me`)).json()).data?.email

  for (const look of LOOKS)
    test(`by code: ${look.name}`, async () => {
      const email = address()
      const { context, page, foreign, complaints } = await open(look, '/login?returnTo=/dev/mailbox')
      await faultless(page, `login-${look.name}`)
      await page.getByLabel('Your email address').fill(email)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
      await faultless(page, `code-${look.name}`)
      const { code } = await mailTo(email)
      // The field has the focus already: one can type at once.
      await page.keyboard.type(code === '111111' ? '222222' : '111111')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').waitFor()
      await faultless(page, `wrong-code-${look.name}`)
      await page.getByLabel('Code from the email').fill(code)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: /^Welcome to/ }).waitFor()
      await faultless(page, `welcome-${look.name}`)
      await page.getByRole('link', { name: 'Skip for now' }).click()
      await page.waitForURL(`${server.url}/dev/mailbox`)
      await faultless(page, `mailbox-${look.name}`)
      expect(await whoami(context)).toBe(email)
      const [cookie] = await context.cookies()
      expect(cookie).toMatchObject({ name: 'session', httpOnly: true, sameSite: 'Lax', path: '/' })
      expect(foreign).toEqual([])
      // A wrong code is an answer with an error's status; browsers mention that and nothing else.
      expect(complaints.filter((text) => !text.includes('410'))).toEqual([])
      await context.close()
    })

  for (const look of LOOKS)
    test(`by link: ${look.name}`, async () => {
      const email = address()
      const { context, page } = await open(look, '/login')
      await page.getByLabel('Your email address').fill(email)
      await page.getByRole('button', { name: 'Email me a link and a code' }).click()
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
      const { link } = await mailTo(email)
      await page.goto(link)
      await faultless(page, `link-${look.name}`)
      expect(await context.cookies()).toEqual([])
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.waitForURL(`${server.url}/welcome`)
      expect(await whoami(context)).toBe(email)
      await page.goto(link)
      await faultless(page, `dead-link-${look.name}`)
      expect(await page.getByRole('heading').textContent()).toBe('This no longer works')
      await context.close()
    })

  test('with the keyboard alone: every stop can be seen', async () => {
    const { context, page } = await open(LOOKS[2] as Look, '/login')
    const stops: string[] = []
    for (let i = 0; i < 12; i += 1) {
      await page.keyboard.press('Tab')
      const stop = await focusOf(page)
      stops.push(stop.name)
      expect([stop.name, stop.isSeen]).toEqual([stop.name, true])
      if (stop.name === 'email') await picture(page, 'focus-field')
      if (stop.name.startsWith('Email me')) await picture(page, 'focus-button')
    }
    expect(stops).toEqual([
      'Skip to content',
      'Folkmoot',
      'Events',
      'Groups',
      'People',
      'Badges',
      'Leaderboard',
      'Sign in',
      'email',
      'Email me a link and a code',
      'Continue with GitHub',
      'Continue with Google',
    ])
    await context.close()
  })

  test('on to an application that waits behind the form, however it is reached', async () => {
    const app = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('handed over') })
    const application = `http://127.0.0.1:${app.port}/cb`
    const front = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: handOver })
    const base = `http://127.0.0.1:${front.port}`

    /** The server, except that the application has been allowed before: nobody is asked anything. */
    async function handOver(request: Request): Promise<Response> {
      const { pathname, search } = new URL(request.url)
      if (pathname === '/oauth/authorize') return Response.redirect(application, 302)
      const body = request.method === 'POST' ? await request.text() : undefined
      const { method, headers } = request
      return fetch(server.url + pathname + search, {
        method,
        headers,
        body,
        redirect: 'manual',
        decompress: false,
      })
    }

    const returnTo = `/oauth/authorize?client_id=x&redirect_uri=${encodeURIComponent(application)}`
    for (const way of ['code', 'link', 'second code'] as const) {
      const email = address()
      const context = await contextFor(browser, LOOKS[2] as Look)
      const page = await context.newPage()
      await page.goto(`${base}/login?returnTo=${encodeURIComponent(returnTo)}`)
      await page.getByLabel('Your email address').fill(email)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
      const { link, code } = await mailTo(email)
      if (way === 'link') await page.goto(link.replace(server.url, base))
      else {
        if (way === 'second code') {
          await page.keyboard.type('1')
          await page.getByRole('button', { name: 'Sign in' }).click()
          await page.getByRole('alert').waitFor()
        }
        await page.getByLabel('Code from the email').fill(code)
      }
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByLabel('Your name', { exact: true }).fill('Ada Okafor')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.waitForURL(application, { timeout: 10_000 })
      await context.close()
    }
    await front.stop(true)
    await app.stop(true)
  })

  test('a form on another site cannot sign a visitor in', async () => {
    const email = address()
    await fetch(`${server.url}/auth/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
    const { link } = await mailTo(email)
    const token = new URL(link).searchParams.get('token')
    const evil = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () =>
        new Response(
          `<form method="post" action="${server.url}/auth/email/verify"><input name="token" value="${token}"><button>Win</button></form>`,
          { headers: { 'content-type': 'text/html' } },
        ),
    })
    const context = await contextFor(browser, LOOKS[2] as Look)
    const page = await context.newPage()
    await page.goto(`http://localhost:${evil.port}/`)
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'This cannot be done' }).waitFor()
    expect(await context.cookies()).toEqual([])
    await context.close()
    await evil.stop(true)
  })
})
