import { afterEach, expect, test } from 'bun:test'
import { config } from '@/config/config'
import { hubListener } from '@/modules/gatherings/feeds/websub/area'
import { get, patch } from '../../../../support/api'
import { drain } from '../../../../support/drain'
import { makeEvent, makeStaffedGroup } from '../../../../support/make'
import { openReceiver } from '../../../../support/receiver'
import { topicOf } from '../../../../support/websub'

const own = config.hub
afterEach(() => {
  config.hub = own
})

async function change() {
  const { group, owner } = await makeStaffedGroup(['manage:events'])
  const event = await makeEvent(group.id)
  await drain([])
  const path = `/v1/manage/groups/${group.id}/events/${event.id}`
  expect((await patch(path, { token: owner.token, json: { title: 'Another' } })).status).toBe(200)
  await drain([hubListener])
  return `/feeds/groups/${group.urlname}.atom`
}

test('a hub elsewhere is announced instead of ours, and told what has changed', async () => {
  const hub = openReceiver()
  config.hub = { url: hub.url, isOwn: false }
  const path = await change()
  expect(hub.received.length).toBe(1)
  const form = new URLSearchParams(hub.received[0]?.body)
  expect(form.getAll('hub.mode')).toEqual(['publish'])
  expect(form.getAll('hub.url')).toContain(topicOf(path))
  expect(form.getAll('hub.topic')).toContain(topicOf('/feeds/events.ics'))
  expect((await get(path)).headers.get('link')).toContain(`<${hub.url}>; rel="hub"`)
  hub.close()
})

test('no hub is announced or told where the operator wants none, and ours needs no word', async () => {
  const hub = openReceiver()
  config.hub = { url: null, isOwn: false }
  expect((await get(await change())).headers.get('link')).not.toContain('rel="hub"')
  config.hub = { url: hub.url, isOwn: true }
  await change()
  expect(hub.received).toEqual([])
  hub.close()
})
