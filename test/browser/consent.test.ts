import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Server } from 'bun'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { SCOPE_NAMES } from '@/core/scopes'
import { makeClient } from '../modules/access/developer-apps/fixtures'
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
import { type ServerProcess, until } from '../support/processes'

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const DESK: Look = { name: 'desk', colorScheme: 'light', isMobile: false }

describe.skipIf(!hasChromium)('the question whether to allow an application', () => {
  let browser: Browser
  let server: ServerProcess
  let application: Server<undefined>
  const visits: URL[] = []
  beforeAll(async () => {
    browser = await openChromium()
    server = await startForBrowser({ DATABASE_URL: process.env.DATABASE_URL as string })
    application = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch(request) {
        const url = new URL(request.url)
        if (url.pathname === '/callback') visits.push(url)
        const page = url.searchParams.get('page')
        return new Response(page ?? '<h1>Back at the application</h1>', {
          headers: { 'content-type': 'text/html' },
        })
      },
    })
  })
  afterAll(async () => {
    await browser?.close()
    await application?.stop(true)
    await server?.stop('SIGKILL')
  })

  const callback = () => `http://127.0.0.1:${application.port}/callback`

  const linkTo = (clientId: string, more: Record<string, string> = {}) =>
    `${server.url}/oauth/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: callback(),
      scope: 'read:user user:email write:events',
      state: 'a state & "more"',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      ...more,
    })}`

  /** Somebody who is signed in, in the colours and the size of a look. */
  async function signedIn(look: Look, name = 'Ada Okafor') {
    const user = await makeUser({ name })
    const context = await contextFor(browser, look)
    await context.addCookies([
      {
        name: 'session',
        value: await makeSession(user.id),
        url: server.url,
        httpOnly: true,
        sameSite: 'Lax',
      },
    ])
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico'))
        complaints.push(message.text())
    })
    return { user, context, page, complaints }
  }

  const backAtTheApplication = (page: Page) => page.getByText('Back at the application').waitFor()

  const answer = () => Object.fromEntries((visits.at(-1) as URL).searchParams)

  async function exchange(clientId: string, code: string) {
    const response = await fetch(`${server.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        code,
        code_verifier: VERIFIER,
        redirect_uri: callback(),
      }),
    })
    return (await response.json()) as { access_token: string; scope: string }
  }

  /** What the person in this browser allowed, read with its own cookie. */
  async function grantsOf(context: BrowserContext) {
    const response = await context.request.get(`${server.url}/v1/profile/grants`)
    return ((await response.json()) as { data: { grantId: string; clientName: string }[] }).data
  }

  for (const look of LOOKS)
    test(`is put on a page that everyone can read: ${look.name}`, async () => {
      const { context, page, complaints } = await signedIn(look)
      const foreign: string[] = []
      page.on('request', (request) => {
        if (!request.url().startsWith(server.url)) foreign.push(request.url())
      })
      const owner = await makeUser({ username: `maker-${look.name}` })
      const details = { redirectUris: [callback()], website: 'https://calendar.example.org/' }
      const known = await makeClient({ name: 'Team Calendar', ownerId: owner.id, ...details })
      await page.goto(linkTo(known.clientId))
      await page.getByRole('heading', { name: 'Allow Team Calendar?' }).waitFor()
      await page.getByText(`Registered by ${owner.username}`).waitFor()
      await page.getByRole('checkbox', { name: 'See events, RSVP for you and check you in' }).waitFor()
      await picture(page, `consent-${look.name}`)
      expect(await faultsOf(page)).toEqual([])

      // Everything that can go long does: the name, the person, the list.
      const stranger = await makeClient({
        name: `مرحبا <b>${'Interminable '.repeat(6)}</b>`,
        redirectUris: [callback()],
        policyUri: `https://example.org/${'policy/'.repeat(30)}`,
        logoUri: 'https://elsewhere.example/logo.png',
      })
      await page.goto(linkTo(stranger.clientId, { scope: SCOPE_NAMES.join(' ') }))
      await page.getByText('is not verified').waitFor()
      await picture(page, `consent-long-${look.name}`)
      expect(await faultsOf(page)).toEqual([])
      expect([foreign, complaints]).toEqual([[], []])
      await context.close()
    })

  test('is answered with yes by keyboard alone, and the application gets what was allowed', async () => {
    const { user, context, page, complaints } = await signedIn(DESK)
    const { clientId } = await makeClient({ authMethod: 'none', redirectUris: ['http://127.0.0.1/callback'] })
    await page.goto(linkTo(clientId))
    const focused = () => page.locator(':focus').textContent()
    await page.keyboard.press('Tab')
    for (let i = 0; i < 20 && (await focused()) !== 'Allow'; i += 1) await page.keyboard.press('Tab')
    expect(await focused()).toBe('Allow')
    await page.keyboard.press('Enter')
    await backAtTheApplication(page)
    const { code, ...rest } = answer()
    expect(rest).toEqual({ state: 'a state & "more"', iss: server.url })
    const { access_token } = await exchange(clientId, code as string)
    const me = await fetch(`${server.url}/v1/me`, { headers: { authorization: `Bearer ${access_token}` } })
    expect(((await me.json()) as { data: { id: string } }).data.id).toBe(user.id)
    expect(complaints).toEqual([])
    await context.close()
  })

  test('is answered with less than was asked, without script', async () => {
    const { user, context, page } = await signedIn(DESK)
    const silent = await browser.newContext({ javaScriptEnabled: false })
    await silent.addCookies(await context.cookies())
    const reading = await silent.newPage()
    const { clientId } = await makeClient({ authMethod: 'none', redirectUris: ['http://127.0.0.1/callback'] })
    await reading.goto(linkTo(clientId))
    const boxes = reading.getByRole('checkbox')
    for (let i = 0; i < (await boxes.count()); i += 1) await boxes.nth(i).uncheck()
    await reading.getByRole('button', { name: 'Allow' }).click()
    await reading.getByRole('alert').getByText('Nothing is ticked').waitFor()
    // With the keyboard: from the alert on, each box is reached and changed by hand.
    for (const name of ['See your profile', 'RSVP for you']) {
      await reading.getByRole('checkbox', { name }).focus()
      await reading.keyboard.press('Space')
    }
    await reading.getByRole('button', { name: 'Allow' }).click()
    await backAtTheApplication(reading)
    const given = await exchange(clientId, answer().code as string)
    expect(given).toMatchObject({ scope: 'read:user write:events' })
    const me = await fetch(`${server.url}/v1/me`, {
      headers: { authorization: `Bearer ${given.access_token}` },
    })
    const { data } = (await me.json()) as { data: Record<string, unknown> }
    expect([data.id, 'email' in data]).toEqual([user.id, false])
    await page.close()
    await silent.close()
    await context.close()
  })

  for (const look of LOOKS)
    test(`that cannot be put is explained, and so is why one should sign in: ${look.name}`, async () => {
      const { context, page } = await signedIn(look)
      const stranger = await makeClient({
        name: 'Interminable '.repeat(7).trim(),
        redirectUris: [callback()],
      })
      await page.goto(linkTo(stranger.clientId, { redirect_uri: `https://evil.example/${'x'.repeat(90)}` }))
      await page.getByText('an address that it has not registered').waitFor()
      await page.getByText('For developers').click()
      await page.getByText(stranger.clientId).waitFor()
      await picture(page, `refusal-${look.name}`)
      expect(await faultsOf(page)).toEqual([])
      await context.clearCookies()
      await page.goto(linkTo(stranger.clientId, { prompt: 'none' }))
      await page.getByText('wanted to know whether you are signed in').waitFor()
      await picture(page, `way-back-${look.name}`)
      expect(await faultsOf(page)).toEqual([])
      await page.goto(linkTo(stranger.clientId, { login_hint: 'ada@folkmoot.example' }))
      await page.getByText('sent you here').waitFor()
      expect(await page.getByLabel('Your email address').inputValue()).toBe('ada@folkmoot.example')
      await picture(page, `sent-here-${look.name}`)
      expect(await faultsOf(page)).toEqual([])
      await context.close()
    })

  test('is declined, and the application gets the error', async () => {
    const { context, page, complaints } = await signedIn(LOOKS[0] as Look)
    const { clientId } = await makeClient({ redirectUris: [callback()] })
    await page.goto(linkTo(clientId))
    await page.getByRole('button', { name: 'Deny' }).tap()
    await backAtTheApplication(page)
    expect(answer()).toMatchObject({ error: 'access_denied', state: 'a state & "more"', iss: server.url })
    expect(await grantsOf(context)).toEqual([])
    expect(complaints).toEqual([])
    await context.close()
  })

  test('is not put again while the answer holds, and again once it is taken back', async () => {
    const { context, page } = await signedIn(DESK)
    const { clientId } = await makeClient({ name: 'Regular', redirectUris: [callback()] })
    await page.goto(linkTo(clientId))
    await page.getByRole('button', { name: 'Allow' }).click()
    await backAtTheApplication(page)
    const before = visits.length
    await page.goto(linkTo(clientId))
    await backAtTheApplication(page)
    expect(visits.length).toBe(before + 1)
    expect(answer().code).toStartWith('fm_ac_')

    const [grant] = await grantsOf(context)
    expect(grant?.clientName).toBe('Regular')
    const revoked = await context.request.delete(`${server.url}/v1/profile/grants/${grant?.grantId}`, {
      headers: { origin: server.url },
    })
    expect(revoked.status()).toBe(200)
    await page.goto(linkTo(clientId))
    await page.getByRole('heading', { name: 'Allow Regular?' }).waitFor()
    await context.close()
  })

  test('lets the browser go on to a scheme of the application and to an https address', async () => {
    for (const redirectUri of ['com.example.app:/cb', 'https://127.0.0.1:9/cb?a=b']) {
      const { context, page, complaints } = await signedIn(DESK)
      const { clientId } = await makeClient({ redirectUris: [redirectUri] })
      await page.goto(linkTo(clientId, { redirect_uri: redirectUri }))
      await page.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true })
      await until('the answer is in', async () => (await grantsOf(context)).length === 1)
      // Nobody is there to open it; all that the browser may complain about is that.
      await page.waitForTimeout(300)
      expect(complaints.filter((text) => /policy|form-action/i.test(text))).toEqual([])
      await context.close()
    }
  })

  describe('cannot be answered by another site', () => {
    const strangerPage = (content: string) =>
      `http://127.0.0.1:${application.port}/?page=${encodeURIComponent(content)}`

    test('in a frame of another page', async () => {
      const { context, page, complaints } = await signedIn(DESK)
      const { clientId } = await makeClient({ redirectUris: [callback()] })
      const link = linkTo(clientId)
      await page.goto(strangerPage(`<iframe src="${link.replaceAll('&', '&amp;')}"></iframe>`))
      await page.waitForTimeout(300)
      expect(await page.frameLocator('iframe').getByRole('button').count()).toBe(0)
      expect(complaints.some((text) => /frame/i.test(text))).toBe(true)
      await context.close()
    })

    test('by a form of another page, not even with the seal of the question', async () => {
      const { context, page } = await signedIn(DESK)
      const { clientId } = await makeClient({ redirectUris: [callback()] })
      await page.goto(linkTo(clientId))
      const sealed = await page.locator('input[name=request]').inputValue()
      const form = `<form method="post" action="${server.url}/oauth/authorize">
        <input name="request" value="${sealed}"><button name="decision" value="allow">Free pizza</button></form>`
      await page.goto(strangerPage(form))
      const answered = page.waitForResponse((response) => response.url().includes('/oauth/authorize'))
      await page.getByRole('button', { name: 'Free pizza' }).click()
      expect((await answered).status()).toBe(403)
      expect(await grantsOf(context)).toEqual([])
      await context.close()
    })

    test('by a script of another page', async () => {
      const { context, page } = await signedIn(DESK)
      const { clientId } = await makeClient({ redirectUris: [callback()] })
      await page.goto(linkTo(clientId))
      const sealed = await page.locator('input[name=request]').inputValue()
      await page.goto(strangerPage('<h1>Nothing to see</h1>'))
      await page.evaluate(`(async () => {
        const body = new URLSearchParams({ request: '${sealed}', decision: 'allow' })
        const url = '${server.url}/oauth/authorize'
        await fetch(url, { method: 'POST', body, credentials: 'include', mode: 'no-cors' }).catch(() => {})
        navigator.sendBeacon(url, body)
      })()`)
      await page.waitForTimeout(300)
      expect(await grantsOf(context)).toEqual([])
      await context.close()
    })
  })
})
