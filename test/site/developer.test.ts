import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { oauthClients } from '@/db/tables/oauth'
import { webhooks } from '@/db/tables/webhooks'
import { get } from '../support/api'
import { makeUser } from '../support/make'
import { openReceiver } from '../support/receiver'
import { alarmIn, makeVisitor, noticeIn } from '../support/visitor'

const HOSTILE = `<img src=x onerror="alert(1)">'"&`

describe('who may see them', () => {
  test('anonymous visitors are sent to sign in; members see the start page', async () => {
    for (const page of [
      '/developer',
      '/developer/apps',
      '/developer/apps/new',
      '/developer/webhooks',
      '/developer/webhooks/new',
    ])
      expect([page, (await get(page, { headers: { accept: 'text/html' } })).status]).toEqual([page, 303])
    const { text } = await (await makeVisitor()).open('/developer')
    for (const href of ['/settings/tokens', '/developer/apps/new', '/developer/webhooks/new', '/docs'])
      expect(text).toContain(`href="${href}"`)
    expect(text).toContain('/v1/me</code>')
    expect((await (await makeVisitor(undefined, 'de')).open('/developer')).text).toContain('Drei Schritte')
  })
})

describe('applications', () => {
  const fields = {
    name: HOSTILE,
    redirectUris: 'https://a.example/1,2\r\nhttps://b.example/back',
    description: '',
  }

  async function makeApp() {
    const owner = await makeVisitor()
    const made = await owner.send('/developer/apps/new', 'create', fields)
    const clientId = /fm_app_[0-9a-f]{32}/.exec(made.text)?.[0] as string
    return { owner, made, clientId, at: `/developer/apps/${clientId}` }
  }

  test('are registered with a secret that is shown this once', async () => {
    const { owner, made, clientId, at } = await makeApp()
    expect([made.status, made.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const secret = /fm_cs_[0-9a-f]{64}/.exec(made.text)?.[0]
    expect(secret).toBeString()
    const [row] = await db.select().from(oauthClients).where(eq(oauthClients.clientId, clientId))
    expect(row?.redirectUris).toEqual(['https://a.example/1,2', 'https://b.example/back'])
    for (const page of ['/developer/apps', at]) {
      const { text } = await owner.open(page)
      expect([page, text.includes(clientId), text.includes('fm_cs_')]).toEqual([page, true, false])
      expect(text).not.toContain('<img src=x')
    }
    const anew = await owner.send(at, 'secret')
    expect(/fm_cs_[0-9a-f]{64}/.exec(anew.text)?.[0]).not.toBe(secret as string)
  })

  test('are changed and deleted by their owner alone', async () => {
    const { owner, at, clientId } = await makeApp()
    const other = await makeVisitor()
    expect((await other.open(at)).status).toBe(404)
    for (const deed of ['save', 'secret', 'delete'])
      expect((await other.send(at, deed, fields)).status).toBe(404)
    const wrong = await owner.send(at, 'save', { ...fields, redirectUris: 'http://a.example' })
    expect([wrong.status, alarmIn(wrong)?.startsWith('Redirect addresses')]).toEqual([400, true])
    expect((await owner.send(at, 'save', { ...fields, name: 'Renamed' })).status).toBe(303)
    expect((await owner.send(at, 'delete')).headers.get('location')).toBe('/developer/apps?done=deleted')
    expect(await db.select().from(oauthClients).where(eq(oauthClients.clientId, clientId))).toEqual([])
  })
})

describe('webhooks', () => {
  async function makeHook() {
    const owner = await makeVisitor(await makeUser({ role: 'admin' }))
    const receiver = openReceiver()
    const made = await owner.send('/developer/webhooks/new', 'create', [
      ['url', receiver.url],
      ['eventTypes', 'event.published'],
      ['eventTypes', 'rsvp.confirmed'],
    ])
    const [row] = await db.select().from(webhooks).where(eq(webhooks.ownerId, owner.id))
    return { owner, receiver, made, row, at: `/developer/webhooks/${row?.id}` }
  }

  test('are added with a secret that is shown this once, and tested', async () => {
    const { owner, made, row, at, receiver } = await makeHook()
    expect([made.status, /whsec_[\w+/=]+/.test(made.text), row?.eventTypes]).toEqual([
      200,
      true,
      ['event.published', 'rsvp.confirmed'],
    ])
    const shown = await owner.open(at)
    expect(shown.text).not.toContain('whsec_')
    expect(shown.text).toContain('value="rsvp.confirmed" checked')
    const tested = await owner.send(at, 'test', { eventType: 'webhook.test' })
    expect([tested.status, tested.text.includes('Test delivered.')]).toEqual([200, true])
    expect(receiver.received.length).toBe(1)
    const { text } = await owner.open(`${at}?status=succeeded`)
    expect(text).toContain('<code>webhook.test</code>')
    expect(text).toContain('Request and response')
    expect(text).toMatch(/<pre tabindex="0"><code>\{\n[\s\S]*&quot;type&quot;: &quot;webhook.test&quot;/)
    expect(text).toMatch(/<dt>Response status<\/dt><dd>2\d\d<\/dd>/)
    expect(text).toMatch(/<time [^>]*>[^<]* UTC<\/time>/)
    const messageId = /name="messageId" value="([^"]+)"/.exec(text)?.[1] as string
    const again = await owner.send(at, 'retry', { messageId })
    expect(noticeIn(await owner.open(again.headers.get('location') as string))).toBe('Sending it again.')
  })

  test('are changed, switched off and on, given another secret, deleted', async () => {
    const { owner, at, row, receiver } = await makeHook()
    const state = async () =>
      (
        await db
          .select()
          .from(webhooks)
          .where(eq(webhooks.id, row?.id as string))
      )[0]
    expect((await owner.send(at, 'switch', { isActive: 'false' })).status).toBe(303)
    expect((await state())?.isActive).toBe(false)
    await owner.send(at, 'switch', { isActive: 'true' })
    await owner.send(at, 'save', { url: receiver.url, eventTypes: '*' })
    expect(await state()).toMatchObject({ isActive: true, eventTypes: ['*'] })
    const none = await owner.send(at, 'save', { url: receiver.url })
    expect([none.status, alarmIn(none)]).toEqual([400, 'Events to send must have 1 to 100 entries.'])
    expect((await owner.send(at, 'rotate')).text).toMatch(/whsec_/)
    expect((await owner.send(at, 'delete')).headers.get('location')).toBe('/developer/webhooks?done=deleted')
    expect(await state()).toBeUndefined()
  })

  test('of others are not there, and what is no address is said so', async () => {
    const [{ at }, other] = [await makeHook(), await makeVisitor()]
    expect((await other.open(at)).status).toBe(404)
    for (const deed of ['save', 'switch', 'test', 'rotate', 'delete'])
      expect([303, 404]).toContain(
        (await other.send(at, deed, { url: 'https://a.example', isActive: 'false', eventTypes: '*' })).status,
      )
    const wrong = await other.send('/developer/webhooks/new', 'create', {
      url: 'http://10.0.0.1/',
      eventTypes: '*',
    })
    expect([wrong.status, wrong.text.includes('value="http://10.0.0.1/"')]).toEqual([400, true])
    expect((await other.open('/developer/webhooks/x')).status).toBe(404)
  })
})
