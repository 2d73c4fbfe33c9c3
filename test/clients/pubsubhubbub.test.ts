import { expect, test } from 'bun:test'
import { type EventEmitter, once } from 'node:events'
import { createRequire } from 'node:module'
import { config } from '@/config/config'
import { db } from '@/db/client'
import { feedSubscriptions } from '@/db/tables/feed-subscriptions'
import { apiUrl, get, patch } from '../support/api'
import { makeEvent, makeStaffedGroup } from '../support/make'
import { leaveNoSubscriptions, runHub } from '../support/websub'

type Client = EventEmitter & {
  subscribe(topic: string, hub: string, callback: (error: Error | null) => void): void
  unsubscribe(topic: string, hub: string, callback: (error: Error | null) => void): void
  listen(port: number, host: string): void
  server: { address(): { port: number }; close(): void }
  callbackUrl: string
}

/** It comes without types. */
const PubSubHubbub = createRequire(import.meta.url)('pubsubhubbub') as {
  createServer(options: object): Client
}

leaveNoSubscriptions()

test('a subscriber from npm finds the hub, is asked, hears, and leaves', async () => {
  const { group, owner } = await makeStaffedGroup(['manage:events'])
  const event = await makeEvent(group.id)
  const path = `/feeds/groups/${group.urlname}.atom`
  const links = [...((await get(path)).headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)]
  const linked = Object.fromEntries(links.map(([, url, rel]) => [rel, url])) as { self: string; hub: string }
  expect(linked.hub).toBe(`${config.baseUrl}/websub`)

  const client = PubSubHubbub.createServer({})
  client.listen(0, '127.0.0.1')
  await once(client, 'listen')
  client.callbackUrl = `http://127.0.0.1:${client.server.address().port}/cb`
  // The tests' server has another port than its name says.
  const hub = linked.hub.replace(config.baseUrl, apiUrl())
  const asked = (mode: 'subscribe' | 'unsubscribe') =>
    new Promise<void>((resolve, reject) =>
      client[mode](linked.self, hub, (error) => (error ? reject(error) : resolve())),
    )
  const [subscribed] = [once(client, 'subscribe'), await asked('subscribe')]
  await runHub()
  expect((await subscribed)[0]).toMatchObject({ topic: linked.self })

  expect((await db.select().from(feedSubscriptions)).length).toBe(1)
  const heard = once(client, 'feed')
  const change = `/v1/manage/groups/${group.id}/events/${event.id}`
  expect((await patch(change, { token: owner.token, json: { title: 'Another' } })).status).toBe(200)
  await runHub()
  const [{ topic, feed, headers }] = await heard
  expect(topic).toBe(linked.self)
  expect(String(feed)).toBe((await get(path)).text)
  expect(headers['content-type']).toBe('application/atom+xml; charset=utf-8')

  await asked('unsubscribe')
  await runHub()
  expect(await db.select().from(feedSubscriptions)).toEqual([])
  client.server.close()
})
