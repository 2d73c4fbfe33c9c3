import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { newId } from '@/core/ids'
import { SCOPE_NAMES } from '@/core/scopes'
import { db } from '@/db/client'
import { oauthGrants } from '@/db/tables/oauth'
import { webhooks } from '@/db/tables/webhooks'
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
import type { ServerProcess } from '../support/processes'

describe.skipIf(!hasChromium)('the page of connected applications', () => {
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

  async function signedIn(look: Look, more = {}) {
    const user = await makeUser({ name: 'Ada Okafor' })
    const context = await contextFor(browser, look, more)
    const value = await makeSession(user.id)
    await context.addCookies([{ name: 'session', value, url: server.url, httpOnly: true, sameSite: 'Lax' }])
    return { user, context, page: await context.newPage() }
  }

  async function connect(userId: string, name: string, scopes: string[], fields = {}) {
    const { clientId } = await makeClient({ name, ...fields })
    const id = newId()
    await db.insert(oauthGrants).values({ id, userId, clientId, scopes, lastUsedAt: new Date() })
    return id
  }

  for (const look of LOOKS)
    test(`can be read by everyone, full and empty: ${look.name}`, async () => {
      const { user, context, page } = await signedIn(look)
      const foreign: string[] = []
      page.on('request', (request) => {
        if (!request.url().startsWith(server.url)) foreign.push(request.url())
      })
      await page.goto(`${server.url}/settings/applications`)
      await page.getByText('None yet').waitFor()
      await picture(page, `applications-none-${look.name}`)
      expect(await faultsOf(page)).toEqual([])
      const owner = await makeUser()
      const grantId = await connect(user.id, 'Team Calendar', ['user', 'manage:events'], {
        ownerId: owner.id,
      })
      await db.insert(webhooks).values({
        id: newId(),
        ownerId: user.id,
        url: `https://hooks.example.org/${'in/'.repeat(30)}`,
        eventTypes: ['*'],
        scopes: ['user'],
        maker: 'grant',
        madeByGrant: grantId,
        secret: new Uint8Array(32),
      })
      await connect(user.id, `مرحبا <b>${'Interminable '.repeat(6)}</b>`, SCOPE_NAMES)
      await page.reload()
      await page.getByText('End access').first().click()
      await picture(page, `applications-${look.name}`)
      expect(await faultsOf(page)).toEqual([])
      expect(foreign).toEqual([])
      await context.close()
    })

  test('ends one by keyboard alone and without script', async () => {
    const { user, context, page } = await signedIn(LOOKS[0] as Look, { javaScriptEnabled: false })
    await connect(user.id, 'Goner', ['read:user'])
    await connect(user.id, 'Stayer', ['read:user'])
    await page.goto(`${server.url}/settings/applications`)
    const goner = page.getByRole('article', { name: 'Goner' })
    await goner.locator('summary').focus()
    await page.keyboard.press('Enter')
    await goner.getByText('It can do nothing in your name from now on').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('not connected any more').waitFor()
    expect(await page.getByRole('article').count()).toBe(1)
    await page.getByRole('article', { name: 'Stayer' }).waitFor()
    await context.close()
  })
})
