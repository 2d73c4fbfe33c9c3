import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { brotliCompressSync, constants } from 'node:zlib'
import { HtmlValidate } from 'html-validate'
import { app } from '@/app'
import { isPage } from '@/web/page'
import { LANGUAGES } from '@/words/language'
import { get } from '../support/api'
import { startDemoSite } from '../support/demo-site'
import { sampled } from '../support/sampling'

let site: Awaited<ReturnType<typeof startDemoSite>>
beforeAll(async () => {
  site = await startDemoSite()
})
afterAll(() => site.stop())

const validator = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:a11y'],
  rules: {
    // A matter of taste, of which ours is another one.
    'no-trailing-whitespace': 'off',
    'attr-quotes': 'off',
    'no-implicit-button-type': 'off',
    'long-title': 'off',
    'no-inline-style': 'off',
    'text-content': 'off',
    // Some programs take a list without marks for no list.
    'no-redundant-role': 'off',
    'prefer-native-element': ['error', { exclude: ['list'] }],
    // Policies name our own files, of which nobody else has the key.
    'require-sri': 'off',
  },
})

const KB = 1024
const compressed = (text: string) =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).byteLength

const ask = async (path: string, session: string | undefined, language: string) => {
  const headers: Record<string, string> = { accept: 'text/html', 'accept-language': language }
  return get(path, { base: site.url, session, headers })
}

/** What a browser would load by itself. */
const loaded = (text: string) =>
  [...text.matchAll(/<(?:img|script|link|source|iframe|video)\b[^>]*?\b(?:src|href|srcset)="([^"]*)"[^>]*>/g)]
    .filter(([tag]) => !/rel="(?:alternate|canonical|next|prev|me|author)"/.test(tag))
    .map(([, address = '']) => address)

describe.each([...LANGUAGES])('every page, in %s,', (language) => {
  test('is valid HTML in that language, light, and loads nothing from anyone else', async () => {
    const wrong: string[] = []
    for (const page of sampled(site.pages, 50, language)) {
      const { status, text, headers } = await ask(page.path, site.sessionOf(page), language)
      const say = (fault: string) => wrong.push(`${page.name} ${page.path}: ${fault}`)
      const expected = /unknown|not-found/.test(page.name) ? 404 : /gone/.test(page.name) ? 410 : 200
      if (status !== expected) say(`status ${status} ${headers.get('location') ?? ''}`)
      if (!text.includes(`<html lang="${language}"`)) say('another language')
      const report = await validator.validateString(text)
      for (const { messages } of report.results)
        for (const { ruleId, message, line } of messages)
          say(`${ruleId}: ${message} [${text.split('\n')[line - 1]?.slice(0, 160)}]`)
      if (compressed(text) > 20 * KB) say(`weighs ${compressed(text)} bytes`)
      for (const address of loaded(text)) if (!/^(\/(?!\/)|data:)/.test(address)) say(`loads ${address}`)
      for (const [, name] of text.matchAll(/\s(on[a-z]+|style)="/g)) say(`has ${name}`)
    }
    expect(wrong).toEqual([])
  })
})

test('the stylesheet and the scripts are light, and kept for ever', async () => {
  const { text } = await ask('/', undefined, 'en')
  const path = /<link rel="stylesheet" href="([^"]+)">/.exec(text)?.[1] as string
  const sheet = await get(path, { base: site.url })
  expect(sheet.headers.get('cache-control')).toContain('immutable')
  expect(compressed(sheet.text)).toBeLessThan(12 * KB)
  const scripts = new Set<string>()
  for (const page of site.pages) {
    const { text } = await ask(page.path, site.sessionOf(page), 'en')
    for (const [, src = ''] of text.matchAll(/<script type="module" src="([^"]+)">/g)) scripts.add(src)
  }
  let weight = 0
  for (const src of scripts) weight += compressed((await get(src, { base: site.url })).text)
  expect(weight).toBeLessThan(10 * KB)
})

test('every page that a person can open is looked at here', () => {
  const patterns = app.routes
    .filter(({ method, handler }) => method === 'GET' && isPage(handler))
    .map(({ path }) => path)
  const seen = (pattern: string) => {
    const shape = new RegExp(`^${pattern.replaceAll(/:[^/]+/g, '[^/?]+')}(\\?|$)`)
    return site.pages.some(({ path }) => shape.test(path))
  }
  expect(patterns.filter((pattern) => !seen(pattern)).sort()).toEqual(UNSEEN)
})

/** Those that lead on, and two that tests of their own look at: a question of an application, and mail of this machine. */
const UNSEEN = [
  '/auth/:provider',
  '/auth/:provider/callback',
  '/dev/mailbox',
  '/oauth/authorize',
  '/pass/:id/claim',
  '/pass/:id/connect',
  '/pass/:id/follow',
]
