import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { like } from 'drizzle-orm'
import { readConfig } from '@/config/config'
import { db } from '@/db/client'
import { webhooks } from '@/db/tables/webhooks'
import { useResolver } from '@/outbound/destination'
import { lookUp } from '@/outbound/names'
import { get, patch, post } from '../../../support/api'
import { deliverDue, leaveOthersOut } from '../../../support/deliveries'
import { makeAdmin, makeCaller, makeToken } from '../../../support/make'
import { openReceiver } from '../../../support/receiver'
import { makeClient, makeGrant } from '../../access/developer-apps/fixtures'

leaveOthersOut()

const PATH = '/v1/developer/webhooks'
/** A host that the operator opened, see `test/support/preload.ts`. */
const NAME = 'hooks.folkmoot.test'

let address = '127.0.0.1'
beforeAll(() => useResolver(async (name) => (name === NAME ? [address] : lookUp(name))))
afterAll(() => useResolver(lookUp))
// An administrator's webhook hears what others do, in other tests too.
afterEach(async () => {
  address = '127.0.0.1'
  await db.delete(webhooks).where(like(webhooks.url, `%${NAME}%`))
})

/** Somebody inside whose answers are nobody's business. */
const openInside = (status = 200) => {
  const receiver = openReceiver(() => new Response('internal secrets', { status }))
  return { ...receiver, url: `http://${NAME}:${receiver.port}/hook` }
}

const makeWebhook = (token: string, url: string) =>
  post(PATH, { token, json: { url, eventTypes: ['user.followed'] } })

const deliveriesOf = async (token: string, id: string) =>
  (await get(`${PATH}/${id}/deliveries`, { token })).body.data.deliveries

/** An administrator whose webhook goes inside, and what it hears of. */
async function makeHearing(url: string) {
  const { user, token } = await makeAdmin()
  const made = await makeWebhook(token, url)
  expect(made.status).toBe(201)
  const { id } = made.body.data
  const happen = async () =>
    (await post(`/v1/users/${user.username}/follow`, { token: (await makeCaller(['user'])).token })).status
  return { user, token, id: id as string, happen }
}

describe('a host that the operator opened', () => {
  test('is refused to everyone but administrators who use their office, and the refusal names the setting', async () => {
    const admin = await makeAdmin()
    const grant = await makeGrant((await makeClient()).clientId, admin.user.id, ['developer'])
    for (const token of [
      (await makeCaller(['developer'])).token,
      (await makeToken(admin.user.id, ['developer'])).token,
      grant.accessToken,
    ]) {
      const url = `http://${NAME}:9/`
      const refused = await makeWebhook(token, url)
      expect([refused.status, refused.body.error]).toEqual([
        400,
        expect.stringContaining('WEBHOOK_ALLOW_HOSTS'),
      ])
      const { id } = (await makeWebhook(token, 'https://example.org/')).body.data
      const turned = await patch(`${PATH}/${id}`, { token, json: { url } })
      expect([turned.status, turned.body.error]).toEqual([
        400,
        expect.stringContaining('WEBHOOK_ALLOW_HOSTS'),
      ])
    }
    expect((await makeWebhook(admin.token, `http://${NAME}:9/`)).status).toBe(201)
  })

  test('shows nothing of its answer, neither to a test nor in the log, and looks the same where nobody listens', async () => {
    const [accepting, refusing] = [openInside(200), openInside(404)]
    const nobody = `http://${NAME}:9/`
    // One after the other, so that each is known to hear what happens; their tests take three seconds, together.
    const hearing: Awaited<ReturnType<typeof makeHearing>>[] = []
    for (const url of [accepting.url, refusing.url, nobody]) hearing.push(await makeHearing(url))
    const tests = hearing.map(async ({ token, id }, place) => {
      const startedAt = performance.now()
      const tested = await post(`${PATH}/${id}/test`, { token })
      expect(performance.now() - startedAt).toBeGreaterThan(3000)
      expect(tested.body.data).toEqual({ success: place === 0, statusCode: null, responseBody: null })
    })
    await Promise.all(tests)
    await hearing[0]?.happen()
    await deliverDue()
    expect([accepting.received.length, refusing.received.length]).toEqual([2, 2])
    for (const [place, { token, id }] of hearing.entries()) {
      const success = place === 0
      const error = success ? null : 'The receiver could not be reached or did not accept it'
      const hidden = expect.objectContaining({ success, error, statusCode: null, durationMs: null })
      expect(await deliveriesOf(token, id)).toEqual([hidden, hidden])
    }
    accepting.close()
    refusing.close()
  })

  test('that says it is gone switches the webhook off', async () => {
    const receiver = openInside(410)
    const { token, id, happen } = await makeHearing(receiver.url)
    await happen()
    await deliverDue()
    const { webhooks: listed } = (await get(PATH, { token })).body.data
    expect(listed).toMatchObject([{ id, isActive: false, disabledReason: 'It answered 410 Gone' }])
    receiver.close()
  })

  test('hears nothing more from an administrator who is none any more', async () => {
    const receiver = openInside()
    const { user, id, happen } = await makeHearing(receiver.url)
    await happen()
    await deliverDue()
    expect(receiver.received.length).toBe(1)
    const { token } = await makeAdmin()
    expect((await patch(`/v1/admin/users/${user.id}`, { token, json: { role: 'user' } })).status).toBe(200)
    await happen()
    await deliverDue()
    expect(receiver.received.length).toBe(1)
    const session = await makeToken(user.id, ['developer', 'user'])
    // The webhook has a scope that its owner has lost: it is theirs to end, no more.
    expect((await get(`${PATH}/${id}/deliveries`, { token: session.token })).status).toBe(403)
    receiver.close()
  })

  for (const found of [
    '169.254.169.254',
    '168.63.129.16',
    'fe80::1',
    'fd00:ec2::254',
    '::ffff:169.254.169.254',
  ])
    test(`at ${found} needs another setting, at creation and when dialled`, async () => {
      const { token, id, happen } = await makeHearing(`http://${NAME}:9/`)
      address = found
      const refused = await makeWebhook(token, `http://${NAME}:9/`)
      await happen()
      await deliverDue()
      const named = expect.stringContaining('WEBHOOK_ALLOW_LINK_LOCAL')
      expect([refused.status, refused.body.error]).toEqual([400, named])
      expect((await deliveriesOf(token, id))[0]).toMatchObject({ success: false, error: named })
    })

  test('by its address too', async () => {
    const { token } = await makeAdmin()
    const refused = await makeWebhook(token, 'http://169.254.169.254/latest/meta-data/')
    expect([refused.status, refused.body.error]).toEqual([
      400,
      expect.stringContaining('WEBHOOK_ALLOW_LINK_LOCAL'),
    ])
  })
})

test('receivers on this machine are open to everyone in the demo and to nobody in production', () => {
  const of = (mode: 'demo' | 'production') =>
    readConfig({ SECRET_KEY: 'Zk3vT9qLw7Yc2RbN8dXh5PfGm4JsUa6E' }, mode)
  expect(of('demo').webhookOpenHosts).toEqual(['127.0.0.1', 'localhost', '[::1]'])
  expect(of('production').webhookOpenHosts).toEqual([])
  expect(of('production').webhookAllowLinkLocal).toBe(false)
})
