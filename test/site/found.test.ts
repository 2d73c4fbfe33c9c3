import { afterAll, describe, expect, test } from 'bun:test'
import { endPainter } from '@/site/previews/preview'
import { readXml } from '../modules/gatherings/feeds/news/strict-xml'
import { apiUrl, get, patch } from '../support/api'
import { HOSTILE_TEXTS } from '../support/hostile-texts'
import { makeCaller, makeEvent, makeGroup } from '../support/make'

afterAll(endPainter)

/** Width and height stand in the first block of every PNG. */
const sizeOf = (bytes: Uint8Array) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return [view.getUint32(16), view.getUint32(20)]
}

const pictureOf = async (id: string) => {
  const answer = await fetch(`${apiUrl()}/events/${id}/preview.png`)
  const { status, headers } = answer
  expect([status, headers.get('content-type'), sizeOf(await answer.bytes())]).toEqual([
    200,
    'image/png',
    [1200, 630],
  ])
  return headers.get('etag') as string
}

describe('the picture of an event', () => {
  test('is rendered once, cached, and rendered again when the event changes', async () => {
    const owner = await makeCaller(['manage:events'])
    const group = await makeGroup({ themeColor: 'violet' }, owner.user.id)
    const event = await makeEvent(group.id, { title: 'Repair Café' })
    const first = await pictureOf(event.id)
    expect(await pictureOf(event.id.toUpperCase())).toBe(first)
    const known = await get(`/events/${event.id}/preview.png`, { headers: { 'if-none-match': first } })
    expect(known.status).toBe(304)
    const { status } = await patch(`/v1/manage/groups/${group.id}/events/${event.id}`, {
      token: owner.token,
      json: { title: 'Another title' },
    })
    expect(status).toBe(200)
    expect(await pictureOf(event.id)).not.toBe(first)
  })

  test('has an address that changes with what it says', async () => {
    const owner = await makeCaller(['manage:events'])
    const group = await makeGroup({}, owner.user.id)
    const { id } = await makeEvent(group.id)
    const shared = async () =>
      /property="og:image" content="http:\/\/localhost([^"]+)"/.exec(
        (await get(`/events/${id}`)).text,
      )?.[1] ?? ''
    const first = await shared()
    expect(first).toMatch(/preview\.png\?v=\w+$/)
    expect([await shared(), (await get(first)).status]).toEqual([first, 200])
    await patch(`/v1/manage/groups/${group.id}/events/${id}`, {
      token: owner.token,
      json: { title: 'Other' },
    })
    expect(await shared()).not.toBe(first)
  })

  test('is rendered for any input', async () => {
    const group = await makeGroup()
    for (const title of [...HOSTILE_TEXTS.slice(0, 6), 'مرحبا 世界 नमस्ते', '🎉🎉'])
      await pictureOf((await makeEvent(group.id, { title: title.slice(0, 200) })).id)
  })

  test('tells strangers nothing of what they may not see', async () => {
    const hidden = await makeEvent((await makeGroup({ isListed: false })).id)
    const draft = await makeEvent((await makeGroup()).id, { status: 'draft' })
    for (const id of [hidden.id, draft.id, 'no-id', crypto.randomUUID()])
      expect((await get(`/events/${id}/preview.png`)).status).toBe(404)
  })
})

describe('the sitemap', () => {
  test('names what anyone may see, and follows it', async () => {
    const owner = await makeCaller(['manage:events'])
    const group = await makeGroup({}, owner.user.id)
    const hidden = await makeGroup({ isListed: false })
    const [event, secret] = [await makeEvent(group.id), await makeEvent(hidden.id)]
    const draft = await makeEvent(group.id, { status: 'draft' })
    const publish = await patch(`/v1/manage/groups/${group.id}/events/${draft.id}`, {
      token: owner.token,
      json: { status: 'published' },
    })
    expect(publish.status).toBe(200)
    const { status, headers, text } = await get('/sitemap.xml')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8'])
    const places = readXml(text).children.map(({ children }) => children[0]?.text)
    for (const path of [
      '/',
      '/events',
      `/groups/${group.urlname}`,
      `/events/${event.id}`,
      `/events/${draft.id}`,
    ])
      expect(places).toContain(`http://localhost${path}`)
    for (const path of [`/groups/${hidden.urlname}`, `/events/${secret.id}`])
      expect(places).not.toContain(`http://localhost${path}`)
    const etag = headers.get('etag') as string
    expect((await get('/sitemap.xml', { headers: { 'if-none-match': etag } })).status).toBe(304)
  })
})

test('a phone finds what it needs to keep the community on its first screen', async () => {
  const { text } = await get('/', { headers: { accept: 'text/html' } })
  const path = /<link rel="manifest" href="([^"]+)">/.exec(text)?.[1] as string
  const { body, headers } = await get(path)
  expect(headers.get('content-type')).toStartWith('application/manifest+json')
  expect([body.start_url, body.icons.length]).toEqual(['/', 2])
  for (const { src, sizes } of body.icons) {
    const icon = await fetch(apiUrl() + src)
    expect(sizeOf(await icon.bytes()).join('x')).toBe(sizes)
  }
  expect((await get('/icons/..%2f..%2froutes.ts')).status).toBe(404)
})
