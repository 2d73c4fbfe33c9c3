import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { db } from '@/db/client'
import { events } from '@/db/tables/events'
import { eventCache } from '@/modules/gatherings/events/cache'
import { get } from '../../../support/api'
import { HOSTILE_TEXTS } from '../../../support/hostile-texts'
import { makeEvent, makeGroup } from '../../../support/make'
import { makeFile } from '../../people/uploads/serve/fixtures'
import { readXml } from '../feeds/news/strict-xml'

const oembed = (url: string, more: Record<string, string | number> = {}) =>
  get(`/oembed?${new URLSearchParams({ url, ...more } as Record<string, string>)}`)

const OURS = 'http://localhost'

/** What an XML answer says, as the strictest reader reads it. */
const saidIn = (xml: string) =>
  Object.fromEntries(readXml(xml).children.map(({ name, text }) => [name, text]))

describe('oEmbed', () => {
  test('gives the frame of an event, with its group, in JSON and in XML', async () => {
    const group = await makeGroup({ name: 'Tea "&" Talk' })
    const event = await makeEvent(group.id, { title: 'A <b>bold</b> evening & more' })
    const { status, headers, body } = await oembed(`${OURS}/events/${event.id}`)
    expect([status, headers.get('content-type'), headers.get('access-control-allow-origin')]).toEqual([
      200,
      'application/json; charset=utf-8',
      '*',
    ])
    expect(body).toEqual({
      version: '1.0',
      type: 'rich',
      title: event.title,
      author_name: group.name,
      author_url: `${OURS}/groups/${group.urlname}`,
      provider_name: 'Folkmoot',
      provider_url: OURS,
      cache_age: 3600,
      html: expect.stringMatching(
        /^<iframe src="http:\/\/localhost\/widget\/next-event\?event=[0-9a-f-]+" title="A &lt;b&gt;bold&lt;\/b&gt; evening &amp; more" width="640" height="530" loading="lazy" referrerpolicy="no-referrer" sandbox="[a-z -]+" style="[^"]+"><\/iframe>$/,
      ),
      width: 640,
      height: 530,
    })
    const xml = await oembed(`${OURS}/events/${event.id}/`, { format: 'xml' })
    expect(xml.headers.get('content-type')).toBe('text/xml; charset=utf-8')
    const texts = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]))
    expect(saidIn(xml.text)).toEqual(texts)
    const known = { 'if-none-match': xml.headers.get('etag') as string }
    const again = await get(`/oembed?format=xml&url=${OURS}/events/${event.id}/`, { headers: known })
    expect(again.status).toBe(304)
  })

  test('gives the frames of groups and of widgets, at the one address that each has', async () => {
    const group = await makeGroup()
    const src = async (url: string) =>
      /src="([^"]+)"/.exec((await oembed(url)).body.html)?.[1]?.replaceAll('&amp;', '&')
    expect(await src(`${OURS}/groups/${group.urlname}`)).toBe(
      `${OURS}/widget/carousel?groups=${group.urlname}`,
    )
    expect(await src(`${OURS}/groups/${group.urlname.toUpperCase()}?utm=1#x`)).toBe(
      `${OURS}/widget/carousel?groups=${group.urlname}`,
    )
    expect(await src(`${OURS}/widget/next-event?theme=dark&groups=b,a&x="><script>`)).toBe(
      `${OURS}/widget/next-event?groups=a%2Cb&theme=dark`,
    )
    expect(await src(`${OURS}/widget/carousel`)).toBe(`${OURS}/widget/carousel`)
    const scheme = async (query: string) =>
      /color-scheme:([^"]+)"/.exec((await oembed(`${OURS}/widget/carousel${query}`)).body.html)?.[1]
    expect([await scheme(''), await scheme('?theme=dark')]).toEqual(['light dark', 'dark'])
    // What asked for nobody's events must not get everybody's.
    const nobodys = await src(`${OURS}/widget/carousel?groups="><script>`)
    expect((await get((nobodys as string).slice(OURS.length))).text).toContain('No events planned yet')
  })

  test('keeps to the room that there is', async () => {
    const event = await makeEvent((await makeGroup()).id)
    const size = async (room: Record<string, number>) => {
      const { body } = await oembed(`${OURS}/events/${event.id}`, room)
      expect(body.html).toContain(`width="${body.width}" height="${body.height}"`)
      return [body.width, body.height]
    }
    expect(await size({ maxwidth: 4000, maxheight: 4000 })).toEqual([640, 530])
    expect(await size({ maxwidth: 300 })).toEqual([300, 670])
    expect(await size({ maxwidth: 300, maxheight: 200 })).toEqual([300, 200])
    expect((await oembed(`${OURS}/events/${event.id}`, { maxwidth: 'x' })).status).toBe(400)
  })

  test('shows a picture that is our own, in a size for which there is room', async () => {
    const upload = await makeFile({
      category: 'event-photo',
      contentType: 'image/png',
      width: 1000,
      height: 500,
    })
    const address = `${OURS}/v1/uploads/file/${upload.key}`
    const group = await makeGroup()
    const own = await makeEvent(group.id, { photoUrl: address })
    const foreign = await makeEvent(group.id, { photoUrl: 'https://elsewhere.example/x.png' })
    const thumbnail = async (id: string, room = {}) => {
      const { body } = await oembed(`${OURS}/events/${id}`, room)
      return [body.thumbnail_url, body.thumbnail_width, body.thumbnail_height]
    }
    expect(await thumbnail(own.id)).toEqual([`${address}?w=640`, 640, 320])
    expect(await thumbnail(own.id, { maxwidth: 400 })).toEqual([`${address}?w=320`, 320, 160])
    expect(await thumbnail(own.id, { maxheight: 90 })).toEqual([`${address}?w=160`, 160, 80])
    expect(await thumbnail(foreign.id)).toEqual([undefined, undefined, undefined])
  })

  test('answers what hides as it answers what is not there, to the letter', async () => {
    const [group, hidden] = [await makeGroup(), await makeGroup({ isListed: false })]
    const draft = await makeEvent(group.id, { status: 'draft' })
    const secret = await makeEvent(hidden.id)
    const nothing = await oembed(`${OURS}/events/01890000-0000-7000-8000-000000000000`)
    expect([nothing.status, nothing.body.code]).toEqual([404, 'not_found'])
    for (const url of [
      `${OURS}/events/${draft.id}`,
      `${OURS}/events/${secret.id}`,
      `${OURS}/widget/next-event?event=${secret.id}`,
      `${OURS}/groups/${hidden.urlname}`,
      `${OURS}/groups/nobody-at-all`,
      `${OURS}/groups/%00`,
      `${OURS}/groups/${group.urlname}/members`,
      `${OURS}/events/${group.id}`,
      `${OURS}/docs`,
      OURS,
      `https://elsewhere.example/groups/${group.urlname}`,
      `http://localhost.elsewhere.example/groups/${group.urlname}`,
      `http://me:pass@localhost/groups/${group.urlname}`,
      `ftp://localhost/groups/${group.urlname}`,
      `javascript:alert(1)//localhost/groups/${group.urlname}`,
      `//localhost/groups/${group.urlname}`,
      'nonsense',
    ]) {
      const { status, text } = await oembed(url)
      expect([url, status, text]).toEqual([url, 404, nothing.text])
    }
  })

  test('refuses what it cannot read, without an echo', async () => {
    for (const query of [
      '',
      '?url=',
      '?url=http://localhost/&format=%3Cyaml%3E',
      '?url=a&url=b',
      '?url=x&maxwidth=-1',
    ]) {
      const { status, body, text } = await get(`/oembed${query}`)
      expect([query, status, body.code]).toEqual([query, 400, 'validation_error'])
      expect(text).not.toContain('yaml')
    }
  })

  test('holds with any text', async () => {
    const group = await makeGroup()
    const event = await makeEvent(group.id)
    for (const title of HOSTILE_TEXTS.filter(
      (text) => text !== '' && !text.includes('\0') && text.isWellFormed(),
    )) {
      await db.update(events).set({ title }).where(eq(events.id, event.id))
      eventCache.drop.all()
      const json = await oembed(`${OURS}/events/${event.id}`)
      const xml = await oembed(`${OURS}/events/${event.id}`, { format: 'xml' })
      const parsed = saidIn(xml.text)
      expect([title, parsed.title]).toEqual([title, json.body.title])
      expect([title, parsed.html]).toEqual([title, json.body.html])
      // One element, whose attributes end where ours do.
      expect([title, json.body.html]).toEqual([
        title,
        expect.stringMatching(/^<iframe src="[^"<>]*" title="[^"<>]*" width="640" [^<>]*><\/iframe>$/),
      ])
    }
  })
})
