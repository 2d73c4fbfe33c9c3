import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@/config/config'
import { numbersOf } from '@/site/about/texts'
import { accentStyle } from '@/web/accent'
import { get } from '../support/api'
import { makeEvent, makeGroup, makeUser } from '../support/make'
import { ownDatabase, type ServerProcess, startServer } from '../support/processes'

const german = { headers: { 'accept-language': 'de' } }

describe('where the operator has written nothing', () => {
  test('the community is shown by its numbers, as far as strangers may know', async () => {
    const before = await numbersOf()
    await makeEvent((await makeGroup({ isListed: false })).id)
    await makeUser({ profileVisibility: 'private' })
    expect(await numbersOf()).toEqual(before)
    await makeEvent((await makeGroup()).id)
    expect(await numbersOf()).toEqual({ ...before, groups: before.groups + 1, upcoming: before.upcoming + 1 })
    const { status, text, headers } = await get('/about')
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, no-cache'])
    expect(text).toContain('<h1>About Folkmoot</h1>')
    // As the licence of the pictures of badges asks for.
    expect(text).toContain('jdecked/twemoji')
    expect(text).toContain('creativecommons.org/licenses/by/4.0/')
    expect(text).toMatch(/<dt>Groups<\/dt><dd>[\d,]+<\/dd>/)
    expect(text).toMatch(/<link rel="canonical" href="[^"]+\/about">/)
    expect((await get('/about', german)).text).toContain('<h1>Über Folkmoot</h1>')
  })

  test('terms and privacy say so, and what the server does', async () => {
    expect((await get('/terms')).text).toContain('has not written terms of use')
    const { text } = await get('/privacy')
    expect(text).toContain('One that keeps you signed in.')
    expect(text).toContain('no page loads anything from another server')
    expect((await get('/privacy', german)).text).toContain('Keine Seite fragt einen anderen Server')
  })
})

describe('the community’s own face', () => {
  let server: ServerProcess
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-site-'))
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }

  beforeAll(async () => {
    server = await startServer({
      FOLKMOOT_MODE: 'test',
      DATABASE_URL: await ownDatabase(),
      SITE_NAME: 'Mill <Lane>',
      PRIVACY_FILE: file('privacy.md', ' \n'),
      SITE_TAGLINE: 'We make "things".',
      SITE_ACCENT: '#ffee00',
      SITE_LOGO: file('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      ABOUT_FILE: file('about.md', '# Who we are\n\nMakers. <script>alert(1)</script> [Come](/events)!\n'),
      TERMS_FILE: file('terms.md', 'Be *kind*.'),
    })
  })
  afterAll(() => server.stop())

  const read = (path: string) => get(path, { base: server.url })

  test('is in the words of its files, whose markup is text', async () => {
    const { text } = await read('/about')
    expect(text).toContain('<title>Who we are · Mill &lt;Lane&gt;</title>')
    expect(text).toContain('<p>Makers. &lt;script&gt;alert(1)&lt;/script&gt; <a href="/events">Come</a>!</p>')
    expect(text).toContain('<meta name="description" content="We make &quot;things&quot;.">')
    const terms = (await read('/terms')).text
    expect(terms).toContain('<h1>Terms</h1>')
    expect(terms).toContain('<p>Be <em>kind</em>.</p>')
    // An empty file says nothing.
    expect((await read('/privacy')).text).toContain('class="lead"')
    expect(server.output()).toContain('the file for /privacy is empty')
  })

  test('has its logo, which is served from here and runs nothing', async () => {
    const { text } = await read('/about')
    const [, path = ''] = /<a class="brand" href="\/"><img src="(\/assets\/logo-[^"]+\.svg)"/.exec(text) ?? []
    const logo = await read(path)
    expect([logo.status, logo.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8'])
    expect(logo.headers.get('content-security-policy')).toContain('sandbox')
  })

  test('has its colour, made readable by day and by night', async () => {
    const [, path = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec((await read('/about')).text) ?? []
    const sheet = (await read(path)).text
    expect(sheet).toContain(
      accentStyle({ colour: '#ffee00' })
        .replace(/^:root \{ (.*); \}$/, '$1')
        .replace(': ', ':')
        .replace(', ', ','),
    )
  })
})

test('a colour of one’s own is mixed until it can be read', () => {
  const pair = (colour: string) => /light-dark\((#\w{6}), (#\w{6})\)/.exec(accentStyle({ colour }))?.slice(1)
  // Dark enough by day already, light enough by night already.
  expect(pair('#1f6f54')?.[0]).toBe('#1f6f54')
  expect(pair('#ffee00')?.[1]).toBe('#ffee00')
  for (const colour of ['#000000', '#ffffff', '#ff0000', '#00ff00', '#0000ff', '#ffee00', '#7f7f7f']) {
    const [light = '', dark = ''] = pair(colour) ?? []
    expect(contrast(light, '#ffffff')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(light, '#f6f5f2')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(dark, '#1f2228')).toBeGreaterThanOrEqual(4.5)
    expect(contrast(dark, '#0d1f18')).toBeGreaterThanOrEqual(4.5)
  }
  expect(accentStyle({ theme: 'ocean' })).toContain('--accent: light-dark(#0a6070, #5fcbe0)')
  expect(accentStyle(null)).toBe('')
})

test('a mistake in the community’s settings is one sentence that names the variable', () => {
  const good = { DATABASE_URL: 'postgres://a@b/c', SECRET_KEY: 'Zk3vT9qLw7Yc2RbN8dXh5PfGm4JsUa6E' }
  const folder = mkdtempSync(join(tmpdir(), 'folkmoot-site-'))
  const [page, binary] = [join(folder, 'page.html'), join(folder, 'binary.md')]
  writeFileSync(page, '<!doctype html><p>no picture')
  writeFileSync(binary, new Uint8Array([0xff, 0xfe, 0x00]))
  const mistakes: [Record<string, string>, RegExp][] = [
    [{ SITE_ACCENT: 'mauve' }, /^SITE_ACCENT must be one of coral,/],
    [{ SITE_ACCENT: '#12' }, /^SITE_ACCENT must be/],
    [{ SITE_ACCENT: 'red;}' }, /^SITE_ACCENT must be/],
    [{ SITE_LOGO: '/nowhere/logo.svg' }, /^SITE_LOGO names .*ENOENT/],
    [{ SITE_LOGO: page }, /^SITE_LOGO names .* is no picture/],
    [{ ABOUT_FILE: folder }, /^ABOUT_FILE names .*EISDIR/],
    [{ PRIVACY_FILE: binary }, /^PRIVACY_FILE names .* no text in UTF-8/],
  ]
  for (const [wrong, sentence] of mistakes)
    expect(() => readConfig({ ...good, ...wrong }, 'production')).toThrow(sentence)
})

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}
