import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Server } from 'bun'
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { hasChromium, openChromium, picture, startForBrowser } from '../support/browser'
import { makeEvent, makeGroup } from '../support/make'
import { type ServerProcess, until } from '../support/processes'
import { inPage, makeCommunity, openQuietly } from './widgets'

const SANDBOX = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox'

/** Texts behind which the page around the widget would show. */
const BARE = `(() => {
  const clear = (element) => getComputedStyle(element).backgroundColor === 'rgba(0, 0, 0, 0)'
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  const bare = []
  while (texts.nextNode()) {
    let element = texts.currentNode.parentElement
    while (element && clear(element)) element = element.parentElement
    if (!element && texts.currentNode.textContent.trim() !== '') bare.push(texts.currentNode.textContent)
  }
  return bare
})()`

describe.skipIf(!hasChromium)('widgets in pages of others', () => {
  let browser: Browser
  let server: ServerProcess
  let site: Server<undefined>
  const pages = new Map<string, { body: string; policy?: string }>()
  beforeAll(async () => {
    browser = await openChromium()
    server = await startForBrowser({ DATABASE_URL: process.env.DATABASE_URL as string })
    site = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ url }) => {
        const page = pages.get(new URL(url).pathname)
        return new Response(page?.body ?? '', {
          status: page ? 200 : 404,
          headers: {
            'content-type': 'text/html; charset=utf-8',
            ...(page?.policy && { 'content-security-policy': page.policy }),
          },
        })
      },
    })
  })
  afterAll(async () => {
    await browser?.close()
    await site?.stop(true)
    await server?.stop('SIGKILL')
  })

  const siteUrl = () => `http://localhost:${site.port}`
  const open = (options?: BrowserContextOptions) => openQuietly(browser, [server.url, siteUrl()], options)

  const page = (body: string) =>
    `<!doctype html><html lang="en"><head><title>Blog</title></head><body>${body}</body></html>`

  /** How high the frames of a page are, in their order. */
  const heights = (of: Page) =>
    inPage<number[]>(
      of,
      `[...document.querySelectorAll('iframe')].map(({ style }) => parseInt(style.height))`,
    )

  const inner = async (of: Page): Promise<number[]> => {
    const handles = await of.$$('iframe')
    const frames = await Promise.all(handles.map((handle) => handle.contentFrame()))
    return Promise.all(
      frames.map((frame) =>
        inPage<number>(frame as Frame, `Math.ceil(document.documentElement.getBoundingClientRect().height)`),
      ),
    )
  }
  const fit = (of: Page) => async () => (await inner(of)).join() === (await heights(of)).join()

  test('are put there by the script, as high as they are, under a strict policy', async () => {
    const { group } = await makeCommunity(server.url)
    const source = `src="${server.url}/widget.js"`
    pages.set('/blog', {
      policy: `default-src 'none'; script-src ${server.url}; frame-src ${server.url}`,
      body: page(`<h1>Blog</h1>
<script async ${source} data-widget="next-event" data-groups="${group.urlname}" data-theme="light"></script>
<p>Between</p>
<script ${source} data-widget="carousel" data-groups="${group.urlname}" data-title="What is on"></script>
<div data-folkmoot-widget="carousel" data-groups="${group.urlname}" data-theme="dark">Loading…</div>
<div data-folkmoot-widget="javascript:alert(1)">Stays</div>
<script defer ${source}></script>`),
    })
    const warning = `console Widgets of ${server.url}: there is no widget "javascript:alert(1)", but next-event and carousel.`
    const { context, page: blog, seen } = await open({ viewport: { width: 700, height: 2400 } })
    await blog.goto(`${siteUrl()}/blog`)
    await until('all frames are there', async () => (await blog.$$('iframe')).length === 3)
    for (const frame of blog.frames().slice(1)) await frame.waitForSelector('.foot')
    await until('they are as high as what is in them', fit(blog))
    for (const height of await heights(blog)) expect(height).toBeGreaterThan(200)
    expect(
      await inPage<unknown>(
        blog,
        `[...document.querySelectorAll('iframe')].map(({ title, loading, sandbox, src, parentElement }) =>
          [title, loading, String(sandbox), new URL(src).search, parentElement.tagName])`,
      ),
    ).toEqual([
      ['Next event', 'lazy', SANDBOX, `?groups=${group.urlname}&theme=light`, 'BODY'],
      ['What is on', 'lazy', SANDBOX, `?groups=${group.urlname}`, 'BODY'],
      ['Upcoming events', 'lazy', SANDBOX, `?groups=${group.urlname}&theme=dark`, 'DIV'],
    ])
    expect(await blog.getByText('Stays').count()).toBe(1)
    await picture(blog, 'widget-embedded')
    const [before] = await heights(blog)
    await blog.setViewportSize({ width: 330, height: 2400 })
    await until('it follows the width of the page', async () => (await heights(blog))[0] !== before)
    await until('they fit again', fit(blog))
    await picture(blog, 'widget-embedded-narrow')
    expect([...new Set(seen)]).toEqual([warning])
    // A link opens the event in a tab of its own.
    const opened = context.waitForEvent('page')
    await blog.frameLocator('iframe').first().locator('h2 a').click()
    expect((await opened).url()).toStartWith(`${server.url}/events/`)
    // The calendar is handed to the program for it: neither the sandbox nor the page's policy is in the way.
    const handed = context.waitForEvent('requestfailed', (request) => request.url().startsWith('webcal:'))
    await blog.frameLocator('iframe').first().getByText('Calendar').click()
    expect((await handed).url()).toBe(
      `${server.url.replace('http:', 'webcal:')}/feeds/groups/${group.urlname}.ics`,
    )
    await blog.frameLocator('iframe').first().locator('h2').waitFor()
    expect([[...new Set(seen)], context.pages().length]).toEqual([[warning], 2])
    expect(await context.cookies()).toEqual([])
    await context.close()
  }, 60_000)

  test('say in the console what is wrong with a tag, and name what they show', async () => {
    const { events } = await makeCommunity(server.url)
    const source = `src="${server.url}/widget.js"`
    pages.set('/wrong', {
      body: `<!doctype html><html lang="en"><head><title>Blog</title><script ${source} data-widget="carousel"></script></head>
<body><script ${source} data-widget="next-evnt"></script>
<script ${source} data-widget="next-event" data-event="${events[3]?.id}"></script></body></html>`,
    })
    const { context, page: blog, seen } = await open()
    await blog.goto(`${siteUrl()}/wrong`)
    expect(seen).toEqual([
      `console Widgets of ${server.url}: a <script data-widget> shows it where it stands, so put it into the body.`,
      `console Widgets of ${server.url}: there is no widget "next-evnt", but next-event and carousel.`,
    ])
    expect(
      await inPage<unknown>(blog, `[...document.querySelectorAll('iframe')].map(({ title }) => title)`),
    ).toEqual(['Event'])
    await context.close()
  }, 60_000)

  test('are where the examples of the documentation put them', async () => {
    const { group } = await makeCommunity(server.url)
    const text = readFileSync(join(import.meta.dir, '../../docs/widgets.md'), 'utf8')
      .replaceAll('https://moot.example', server.url)
      .replaceAll('lisbon-rust', group.urlname)
    const examples = [...text.matchAll(/```html\n(.*?)```/gs)].map(([, example]) => example as string)
    const [, policy = ''] = /^Content-Security-Policy: (.*)$/m.exec(text) ?? []
    pages.set('/examples', { body: page(examples.join('<hr>')), policy })
    const { context, page: blog, seen } = await open({ viewport: { width: 700, height: 2400 } })
    await blog.goto(`${siteUrl()}/examples`)
    await until('all are there', async () => (await blog.$$('iframe')).length === examples.length)
    for (const frame of blog.frames().slice(1)) await frame.waitForSelector('.foot')
    expect(examples).toHaveLength(3)
    const framed = (await blog.$$('iframe')).at(-1)
    expect((await inner(blog)).at(-1)).toBeLessThan(Number(await framed?.getAttribute('height')))
    expect(seen).toEqual([])
    await context.close()
  }, 60_000)

  test('can be read on any ground', async () => {
    const { group, events } = await makeCommunity(server.url)
    const empty = await makeGroup()
    const off = await makeEvent(group.id, { status: 'cancelled', cancelReason: 'Rain' })
    const states = [
      `next-event?groups=${group.urlname}`,
      `next-event?event=${events[1]?.id}`,
      `next-event?event=${off.id}`,
      'next-event?event=nonsense',
      `next-event?groups=${empty.urlname}`,
      `carousel?groups=${group.urlname}`,
      `carousel?groups=${empty.urlname}`,
    ]
    for (const [ground, theme, scheme] of [
      ['#fff', 'dark', 'light'],
      ['#000', 'light', 'dark'],
      ['#fff', 'auto', 'dark'],
      ['#000', 'auto', 'light'],
    ] as const) {
      const frames = states.map((state) => {
        const [name, query] = state.split('?') as [string, string]
        const own = [...new URLSearchParams(query)].map(([key, value]) => `data-${key}="${value}"`).join(' ')
        return `<div data-folkmoot-widget="${name}" ${own} data-theme="${theme}"></div>
<iframe src="${server.url}/widget/${state}&theme=${theme}" width="600" height="560" style="border: 0"></iframe>`
      })
      pages.set('/ground', {
        body: page(
          `<style>body { background: ${ground} }</style>${frames.join('')}<script src="${server.url}/widget.js"></script>`,
        ),
      })
      const { context, page: blog } = await open({
        viewport: { width: 700, height: 9000 },
        colorScheme: scheme,
      })
      await blog.goto(`${siteUrl()}/ground`, { waitUntil: 'load' })
      await until('all are there', async () => (await blog.$$('iframe')).length === 2 * states.length)
      for (const frame of blog.frames().slice(1)) {
        await frame.waitForSelector('.foot')
        const bare = await inPage<string[]>(frame, BARE)
        expect([ground, theme, frame.url(), bare]).toEqual([ground, theme, frame.url(), []])
      }
      await picture(blog, `widget-ground-${ground.slice(1)}-${theme}-${scheme}`)
      await context.close()
    }
  }, 90_000)

  test('fit into the frames of oEmbed, however long their texts are', async () => {
    const { group } = await makeCommunity(server.url)
    const long = 'WWWWWWWW '.repeat(22).trim()
    const fields = {
      title: long,
      description: long.repeat(5),
      venueName: long,
      venueCity: 'M'.repeat(80),
      timezone: 'America/Argentina/Buenos_Aires',
      startTime: new Date('2037-09-23T20:00:00Z'),
      endTime: new Date('2037-09-25T20:00:00Z'),
    }
    const wordy = await makeGroup({ name: long.slice(0, 100) })
    const upcoming = await makeEvent(wordy.id, fields)
    const off = await makeEvent(wordy.id, { ...fields, status: 'cancelled', cancelReason: long })
    const things = [
      `groups/${group.urlname}`,
      `groups/${wordy.urlname}`,
      `events/${upcoming.id}`,
      `events/${off.id}`,
    ]
    let body = ''
    for (const thing of things)
      for (const maxwidth of [800, 552, 551, 400, 320, 280]) {
        const query = new URLSearchParams({ url: `${server.url}/${thing}`, maxwidth: String(maxwidth) })
        const answer = await fetch(`${server.url}/oembed?${query}`)
        body += ((await answer.json()) as { html: string }).html.replace('loading="lazy"', '')
      }
    pages.set('/oembed', { body: page(body) })
    const { context, page: blog } = await open({ viewport: { width: 900, height: 900 } })
    await blog.goto(`${siteUrl()}/oembed`, { waitUntil: 'load' })
    const sizes = await inPage<number[][]>(
      blog,
      `[...document.querySelectorAll('iframe')].map(({ width, height }) => [+width, +height])`,
    )
    expect(sizes).toHaveLength(24)
    for (const [i, height] of (await inner(blog)).entries()) {
      const [wide = 0, high = 0] = sizes[i] as number[]
      // A bar to scroll by needs some of it where browsers show one.
      expect([things[Math.floor(i / 6)], wide, high, height, height + 12 <= high]).toEqual([
        things[Math.floor(i / 6)],
        wide,
        high,
        height,
        true,
      ])
    }
    await context.close()
  }, 60_000)

  test('take their height from nobody else, and not beyond measure', async () => {
    const { group } = await makeCommunity(server.url)
    pages.set('/forger', {
      body: page(
        `<script>for (const height of [777, '778', NaN]) parent.postMessage({ folkmoot: 'height', height }, '*')</script>`,
      ),
    })
    pages.set('/page', {
      body: page(
        `<script src="${server.url}/widget.js" data-widget="next-event" data-groups="${group.urlname}"></script>`,
      ),
    })
    const { context, page: outer } = await open({ viewport: { width: 700, height: 900 } })
    await outer.goto(`${siteUrl()}/page`)
    const frame = (await (await outer.waitForSelector('iframe')).contentFrame()) as Frame
    await frame.waitForSelector('.foot')
    await until('its height is set', fit(outer))
    const [height] = await heights(outer)
    /** Messages come in their order: after the last one, all have been heard. */
    const heard = (from: Page | Frame) =>
      Promise.all([
        inPage(
          outer,
          `new Promise((resolve) => addEventListener('message', ({ data }) => data === 'last' && resolve()))`,
        ),
        inPage(from, `void parent.postMessage('last', '*')`),
      ])
    // The page itself, frames of two other sites, and one of our own that the script did not make.
    await inPage(outer, `void postMessage({ folkmoot: 'height', height: 776 }, '*')`)
    for (const src of [
      `http://127.0.0.1:${site.port}/forger`,
      `${siteUrl()}/forger`,
      `${server.url}/widget/carousel?groups=${group.urlname}`,
    ]) {
      await inPage(
        outer,
        `new Promise((resolve) => {
          const other = document.createElement('iframe')
          other.onload = () => resolve()
          other.src = ${JSON.stringify(src)}
          document.body.append(other)
        })`,
      )
      const other = outer.frames().at(-1) as Frame
      await inPage(other, `void parent.postMessage({ folkmoot: 'height', height: 779 }, '*')`)
      await heard(other)
    }
    expect((await heights(outer))[0]).toBe(height)
    // The very frame, once it shows a page of somebody else.
    const own = await frame.evaluate('location.href')
    const goTo = async (src: unknown) => {
      const there = outer.waitForEvent('framenavigated', (one) => one === frame && one.url() === src)
      await inPage(outer, `void (document.querySelector('iframe').src = ${JSON.stringify(src)})`)
      await there
      await frame.waitForLoadState()
    }
    await goTo(`${siteUrl()}/forger`)
    await heard(frame)
    expect((await heights(outer))[0]).toBe(height)
    await goTo(own)
    const say = async (data: string) => {
      await inPage(frame, `void parent.postMessage(${data}, '*')`)
      await heard(frame)
      return (await heights(outer))[0]
    }
    expect(await say(`{ folkmoot: 'height', height: 1e9 }`)).toBe(2000)
    expect(await say(`{ folkmoot: 'height', height: 1 }`)).toBe(80)
    for (const nonsense of [
      `null`,
      `'height'`,
      `{ folkmoot: 'height' }`,
      `{ folkmoot: 'height', height: '500' }`,
      `{ folkmoot: 'height', height: NaN }`,
      `{ height: 500 }`,
    ])
      expect([nonsense, await say(nonsense)]).toEqual([nonsense, 80])
    await context.close()
  }, 60_000)
})
