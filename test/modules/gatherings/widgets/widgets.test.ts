import { describe, expect, test } from 'bun:test'
import { apiUrl, call, get, patch, post } from '../../../support/api'
import { makeAdmin, makeCaller, makeEvent, makeGroup, makeStaffedGroup } from '../../../support/make'
import { statementsOf } from '../../../support/statements'
import { HOUR_MS, inHours, later } from '../../../support/time'

const WIDGETS = ['next-event', 'carousel'] as const

const widget = (name: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  get(`/widget/${name}?${new URLSearchParams(query)}`, { headers })

describe.each(WIDGETS)('the widget %s', (name) => {
  test('may be framed by anyone, and is the same for everyone', async () => {
    const group = await makeGroup()
    const event = await makeEvent(group.id, { title: 'Tea & <b>talk</b>', venueName: 'Old Mill' })
    const { user } = await makeCaller()
    const answer = await widget(name, { groups: group.urlname })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(answer.headers.get('x-frame-options')).toBeNull()
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors \*$/,
    )
    for (const [element, directive] of [
      ['style', 'style-src'],
      ['script', 'script-src'],
    ]) {
      const parts = [...answer.text.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))]
      expect(parts).toHaveLength(1)
      const hash = new Bun.CryptoHasher('sha256').update(parts[0]?.[1] ?? '').digest('base64')
      expect(policy).toContain(`${directive} 'sha256-${hash}'`)
    }
    expect(answer.text).toContain('Tea &amp; &lt;b&gt;talk&lt;/b&gt;')
    expect(answer.text).toContain('Old Mill')
    expect(answer.text).toContain(`href="http://localhost/events/${event.id}" target="_blank" rel="noopener"`)
    // Nobody is looked at, so nobody sees anything else.
    const again = await get(`/widget/${name}?groups=${group.urlname}`, {
      headers: { cookie: `session=${user.id}`, authorization: 'Bearer nonsense', 'accept-language': 'de' },
    })
    expect([again.text, again.headers.get('etag')]).toEqual([answer.text, answer.headers.get('etag')])
  })

  test('has a validator, HEAD and smaller forms', async () => {
    const group = await makeGroup()
    await makeEvent(group.id)
    const path = `/widget/${name}?groups=${group.urlname}`
    const plain = await fetch(apiUrl() + path, { headers: { 'accept-encoding': 'identity' } })
    const etag = plain.headers.get('etag') as string
    expect(etag).toMatch(/^"[^"]+"$/)
    const length = (await plain.arrayBuffer()).byteLength
    for (const encoding of ['gzip', 'br']) {
      const response = await fetch(apiUrl() + path, {
        headers: { 'accept-encoding': encoding },
        decompress: false,
      })
      expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual([
        encoding,
        'Accept-Encoding',
      ])
      expect((await response.arrayBuffer()).byteLength).toBeLessThan(length / 2)
      expect(response.headers.get('etag')).not.toBe(etag)
      const known = { 'if-none-match': response.headers.get('etag') as string }
      expect((await get(path, { headers: known })).status).toBe(304)
    }
    const unchanged = await get(path, { headers: { 'if-none-match': etag } })
    expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', etag])
    expect(unchanged.headers.get('x-frame-options')).toBeNull()
    const head = await call('HEAD', path, { headers: { 'accept-encoding': 'identity' } })
    expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', String(length)])
  })

  test('shows what is planned and no more: no draft, nothing cancelled, nothing over, no unlisted group', async () => {
    const group = await makeGroup()
    const hidden = await makeGroup({ isListed: false })
    const shown = await makeEvent(group.id, { title: 'Shown', startTime: inHours(5) })
    await makeEvent(group.id, { title: 'A draft', status: 'draft' })
    await makeEvent(group.id, { title: 'Called off', status: 'cancelled' })
    await makeEvent(group.id, { title: 'Long ago', startTime: inHours(-9) })
    await makeEvent(hidden.id, { title: 'In secret' })
    const { text } = await widget(name, { groups: `${group.urlname},${hidden.urlname}` })
    expect(text).toContain(shown.title)
    for (const other of ['A draft', 'Called off', 'Long ago', 'In secret', hidden.urlname, hidden.name])
      expect([other, text.includes(other)]).toEqual([other, false])
    const alone = await widget(name, { groups: hidden.urlname })
    const nothing = await widget(name, { groups: 'no-such-group' })
    expect(alone.text).toBe(nothing.text)
    expect(nothing.text).toContain('No events planned yet')
  })

  test('passes over what makes no sense, and says nothing of it after', async () => {
    const group = await makeGroup()
    await makeEvent(group.id, { title: 'Here all the same' })
    const right = await widget(name, { groups: group.urlname })
    for (const groups of [
      `${group.urlname},no-such-group`,
      ` ,${group.urlname.toUpperCase()},,`,
      `"><script>alert(1)</script>,${group.urlname}`,
      `${group.urlname},${'x'.repeat(3000)}`,
      `${group.urlname},\u0000,\ud800`,
    ]) {
      const { status, text } = await widget(name, { groups, theme: '"><script>' })
      expect([groups, status, text === right.text]).toEqual([groups, 200, true])
    }
    const two = await get(`/widget/${name}?groups=nobody&groups=${group.urlname}&theme=dark&theme=light`)
    expect(two.text).toContain('Here all the same')
    expect(two.text).toContain('data-theme="dark"')
    const only = await widget(name, { groups: '"><script>alert(1)</script>' })
    expect([only.text.includes('alert'), only.text.includes('No events planned yet')]).toEqual([false, true])
    // No name at all asks for everything.
    expect((await widget(name, { groups: ' , ' })).text).toBe((await widget(name)).text)
  })

  test('leads to the feeds of the same events', async () => {
    const [one, two] = [await makeGroup(), await makeGroup()]
    const feeds = async (query: Record<string, string>) =>
      [
        ...(await widget(name, query)).text.matchAll(
          /<link rel="alternate" type="([^"]+)"[^>]* href="([^"]+)"/g,
        ),
      ]
        .map(([, type, href]) => [type, href?.replaceAll('&amp;', '&')])
        .filter(([type]) => type?.includes('oembed') === false)
    const types = ['text/calendar', 'application/rss+xml', 'application/atom+xml', 'application/feed+json']
    const expected = (path: string, query = '') =>
      ['ics', 'rss', 'atom', 'json'].map((format, i) => [
        types[i],
        `http://localhost${path}.${format}${query}`,
      ])
    expect(await feeds({})).toEqual(expected('/feeds/events'))
    const calendar = /<a href="([^"]+)"[^>]*>Calendar</.exec(
      (await widget(name, { groups: one.urlname })).text,
    )
    expect(calendar?.[1]).toBe(`webcal://localhost/feeds/groups/${one.urlname}.ics`)
    expect(await feeds({ groups: one.urlname })).toEqual(expected(`/feeds/groups/${one.urlname}`))
    const names = [one.urlname, two.urlname].sort()
    expect(await feeds({ groups: `${two.urlname},${one.urlname},nobody` })).toEqual(
      expected('/feeds/events', `?group=${names.join('%2C')}`),
    )
  })
})

test('a widget tells where its embed is described, and it is', async () => {
  const [group, empty] = [await makeGroup(), await makeGroup()]
  const event = await makeEvent(group.id)
  const links = async (path: string) =>
    [
      ...(await get(path)).text.matchAll(
        /<link rel="alternate" type="([a-z/]+\+oembed)"[^>]* href="([^"]+)"/g,
      ),
    ].map(([, type, href = '']) => [type, new URL(href.replaceAll('&amp;', '&'))] as const)
  for (const [path, own] of [
    ['/widget/carousel', '/widget/carousel'],
    [
      `/widget/carousel?theme=dark&groups=nobody,${group.urlname}`,
      `/widget/carousel?groups=${group.urlname}&theme=dark`,
    ],
    [`/widget/next-event?groups=${empty.urlname}`, `/widget/next-event?groups=${empty.urlname}`],
    [`/widget/next-event?event=${event.id}`, `/widget/next-event?event=${event.id}`],
  ] as const) {
    const found = await links(path)
    expect(found.map(([type]) => type)).toEqual(['application/json+oembed', 'text/xml+oembed'])
    for (const [type, { origin, pathname, search, searchParams }] of found) {
      expect([origin, pathname, searchParams.get('url')]).toEqual([
        'http://localhost',
        '/oembed',
        `http://localhost${own}`,
      ])
      const { status, headers, text } = await get(pathname + search)
      expect([status, headers.get('content-type')]).toEqual([
        200,
        `${type?.replace('+oembed', '')}; charset=utf-8`,
      ])
      expect(text).toContain(own.replaceAll('&', '&amp;').slice(0, 30))
    }
  }
  expect(await links('/widget/next-event?event=nonsense')).toEqual([])
})

test('the next event is one and the carousel has ten, by their start', async () => {
  const group = await makeGroup()
  for (let i = 12; i > 0; i -= 1) await makeEvent(group.id, { title: `Number ${i}.`, startTime: inHours(i) })
  const titles = async (name: string) =>
    [...(await widget(name, { groups: group.urlname })).text.matchAll(/>Number (\d+)\.<\/a>/g)].map(([, i]) =>
      Number(i),
    )
  expect(await titles('next-event')).toEqual([1])
  expect(await titles('carousel')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('times are those of the place, and say so', async () => {
  const group = await makeGroup()
  await makeEvent(group.id, {
    timezone: 'Asia/Kolkata',
    startTime: new Date('2031-03-04T20:45:00Z'),
    endTime: new Date('2031-03-04T22:00:00Z'),
  })
  const { text } = await widget('next-event', { groups: group.urlname })
  expect(text).toContain('<b>Mar</b><span>5</span>')
  expect(text).toContain(
    '<time datetime="2031-03-04T20:45:00.000Z">Wednesday, 5 March 2031, 02:15</time>\u00a0–\u2060\u00a0<time datetime="2031-03-04T22:00:00.000Z">03:30</time>',
  )
  expect(text).toContain('India Standard Time')
})

test('places: a venue, online, or both', async () => {
  const place = async (fields: object) => {
    const group = await makeGroup()
    await makeEvent(group.id, fields)
    const { text } = await widget('next-event', { groups: group.urlname })
    return /<p class="where" dir="auto">(.*?)<\/p>/.exec(text)?.[1]
  }
  const venue = { venueName: 'Mill', venueCity: 'Ghent' }
  expect(await place({})).toBeUndefined()
  expect(await place({ ...venue })).toBe('Mill, Ghent')
  expect(await place({ ...venue, eventType: 'online', onlineUrl: 'https://secret.example' })).toBe('Online')
  expect(await place({ ...venue, eventType: 'hybrid' })).toBe('Mill, Ghent, and online')
  expect(await place({ eventType: 'hybrid' })).toBe('In person and online')
})

test('pictures are our own uploads or drawn, never from elsewhere', async () => {
  const show = async (photoUrl: string | null) => {
    const group = await makeGroup()
    await makeEvent(group.id, { photoUrl })
    const { text } = await widget('next-event', { groups: group.urlname })
    return /<div class="cover[^"]*">(<\w+)[^>]*?(?: src="([^"]*)")?[ >]/.exec(text)?.slice(1, 3)
  }
  const path = `/v1/uploads/file/event-photo/${'A'.repeat(22)}/hall.png`
  expect(await show(`http://localhost${path}`)).toEqual(['<img', `${path}?w=640`])
  expect(await show('https://elsewhere.example/hall.png')).toEqual(['<svg', undefined as unknown as string])
  expect(await show(null)).toEqual(['<svg', undefined as unknown as string])
})

describe('one event that is asked for by its id', () => {
  const one = (event: string) => widget('next-event', { event })

  test('is shown as it stands', async () => {
    const group = await makeGroup()
    const [next, over, off] = [
      await makeEvent(group.id, { startTime: inHours(50) }),
      await makeEvent(group.id, { startTime: inHours(-50) }),
      await makeEvent(group.id, { status: 'cancelled', cancelReason: 'Nobody came' }),
    ]
    const state = async (id: string) => /<p class="state[^>]*>([^<]+)/.exec((await one(id)).text)?.[1]
    expect((await one(next.id)).text).toContain(next.title)
    expect([await state(next.id), await state(over.id), await state(off.id)]).toEqual([
      undefined,
      'This event is over',
      'This event was cancelled',
    ])
    const heading = async (id: string) => /<h1 class="head">([^<]+)/.exec((await one(id)).text)?.[1]
    expect([await heading(next.id), await heading(over.id), await heading(off.id)]).toEqual([
      'Event',
      'Past event',
      'Cancelled event',
    ])
    expect((await one(off.id)).text).toContain('<p class="reason" dir="auto">Nobody came</p>')
    expect((await one(over.id)).text).not.toContain('class="reason"')
    expect(await later(60 * HOUR_MS, () => state(next.id))).toBe('This event is over')
  })

  test('is not there for strangers when it hides, whatever hides it', async () => {
    const [group, hidden] = [await makeGroup(), await makeGroup({ isListed: false })]
    const nobody = await one('01890000-0000-7000-8000-000000000000')
    expect(nobody.text).toContain('This event is not here')
    const draft = await makeEvent(group.id, { status: 'draft' })
    const secret = await makeEvent(hidden.id)
    for (const id of [draft.id, secret.id, 'nonsense', '"><script>']) {
      const { status, text, headers } = await one(id)
      expect([status, text, headers.get('etag')]).toEqual([200, nobody.text, nobody.headers.get('etag')])
    }
  })
})

describe('what is kept', () => {
  const costs = (name: string, groups?: string) =>
    statementsOf(() => widget(name, groups === undefined ? {} : { groups }), 1)

  async function known(...groups: string[]) {
    for (const name of WIDGETS) for (const group of groups) await widget(name, { groups: group })
  }

  test('needs no statement until something changes, and an answer of a guest changes nothing', async () => {
    const { group, owner } = await makeStaffedGroup(['manage:events', 'write:events'])
    const other = await makeGroup()
    const event = await makeEvent(group.id, { title: 'Before' })
    await makeEvent(other.id)
    const names = [group.urlname, other.urlname, `${group.urlname},${other.urlname}`] as const
    await known(...names)
    const before = await widget('carousel', { groups: names[1] })
    expect(await Promise.all(names.map((name) => costs('next-event', name)))).toEqual([0, 0, 0])

    const { token } = await makeCaller(['write:events'])
    expect((await post(`/v1/events/${event.id}/rsvp`, { token })).status).toBeLessThan(300)
    for (const name of names) expect([name, await costs('carousel', name)]).toEqual([name, 0])

    const change = await patch(`/v1/manage/groups/${group.id}/events/${event.id}`, {
      token: owner.token,
      json: { title: 'After' },
    })
    expect(change.status).toBe(200)
    // The other group's is the same bytes without a look at the database.
    expect(await costs('carousel', names[1])).toBe(0)
    const after = await widget('carousel', { groups: names[1] })
    expect([after.text, after.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')])
    for (const name of [names[0], names[2], ''])
      for (const kind of WIDGETS) {
        const { text } = await widget(kind, name === '' ? {} : { groups: name })
        if (name !== '') expect([name, kind, text.includes('After')]).toEqual([name, kind, true])
        expect(text).not.toContain('>Before<')
      }
  })

  test('follows publishing, cancelling, renaming and unlisting at once', async () => {
    const { group, owner } = await makeStaffedGroup(['manage:events', 'manage:groups'])
    const event = await makeEvent(group.id, { status: 'draft', publishedAt: null, title: 'To come' })
    const path = `/v1/manage/groups/${group.id}`
    const does = async (answer: Promise<{ status: number }>) =>
      expect((await answer).status).toBeLessThan(300)
    const has = async (word: string, groups = group.urlname) => [
      (await widget('next-event', { groups })).text.includes(word),
      (await widget('carousel', { groups })).text.includes(word),
    ]
    const { token } = owner
    expect(await has('To come')).toEqual([false, false])
    await does(patch(`${path}/events/${event.id}`, { token, json: { status: 'published' } }))
    expect(await has('To come')).toEqual([true, true])
    const renamed = `${group.urlname}-2`
    expect(await has('To come', renamed)).toEqual([false, false])
    await does(patch(path, { token, json: { name: 'A new name', urlname: renamed } }))
    expect(await has('To come')).toEqual([false, false])
    expect(await has('A new name', renamed)).toEqual([true, true])
    const { token: admin } = await makeAdmin()
    const list = (isListed: boolean) =>
      does(patch(`/v1/admin/groups/${group.id}`, { token: admin, json: { isListed } }))
    await list(false)
    expect(await has('A new name', renamed)).toEqual([false, false])
    await list(true)
    expect(await has('To come', renamed)).toEqual([true, true])
    await does(post(`${path}/events/${event.id}/cancel`, { token, json: {} }))
    expect(await has('To come', renamed)).toEqual([false, false])
    expect(await has('No events planned yet', renamed)).toEqual([true, true])
  })

  test('ends when the event does, without anybody saying so', async () => {
    const group = await makeGroup()
    await makeEvent(group.id, {
      title: 'Soon over',
      startTime: inHours(-1),
      endTime: new Date(Date.now() + 30_000),
    })
    await makeEvent(group.id, { title: 'Then this', startTime: inHours(5) })
    const shown = async () => (await widget('next-event', { groups: group.urlname })).text
    expect(await shown()).toContain('Soon over')
    expect(await later(31_000, shown)).toContain('Then this')
  })

  test('is loaded once, however many ask', async () => {
    const group = await makeGroup()
    await makeEvent(group.id)
    const cost = await statementsOf(
      () => Promise.all(Array.from({ length: 50 }, () => widget('carousel', { groups: group.urlname }))),
      1,
    )
    // One for the names, one for the events.
    expect(cost).toBeLessThanOrEqual(2)
  })

  test('does not grow with invented names: they lead to the same document', async () => {
    const group = await makeGroup()
    await makeEvent(group.id)
    await known(group.urlname)
    const found: number[] = []
    for (let i = 0; i < 20; i += 1) found.push(await costs('carousel', `${group.urlname},invented-${i}`))
    // The names are looked up, the document is there. Now and then the server has something of its own to say.
    expect(found.filter((cost) => cost > 1).length).toBeLessThan(3)
    expect(await costs('carousel', group.urlname)).toBe(0)
  })
})

test('the script for pages of others is small, stays, and comes from anywhere', async () => {
  const { status, headers, text } = await get('/widget.js')
  expect([status, headers.get('content-type'), headers.get('cross-origin-resource-policy')]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'cross-origin',
  ])
  expect(text).toContain("const ORIGIN = 'http://localhost'")
  expect(text.length).toBeLessThan(3000)
  expect(headers.get('cache-control')).toBe('public, max-age=3600')
  const known = { 'if-none-match': headers.get('etag') as string }
  expect((await get('/widget.js', { headers: known })).status).toBe(304)
})
