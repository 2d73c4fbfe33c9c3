import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { CONTENT_TYPES } from '@/modules/people/uploads/content/content-types'
import { fileUrl, makeFile } from '../modules/people/uploads/serve/fixtures'
import { apiUrl } from '../support/api'
import { hasChromium, openChromium } from '../support/browser'
import { png } from '../support/uploads'

/** For what would begin right after a page is there. */
const SETTLE_MS = 50

const BEACON = 'http://127.0.0.1:9/beacon'
const SCRIPT = `self.pwned=1;console.log('PWNED');try{document.title='PWNED';fetch('${BEACON}');new Image().src='${BEACON}';top.location='${BEACON}'}catch{};try{alert('PWNED')}catch{}`
const HTML = `<!doctype html><html><head><title>x</title><link rel=stylesheet href="${BEACON}"><meta http-equiv=refresh content="1;url=${BEACON}"></head><body onload="${SCRIPT.replaceAll('"', '&quot;')}"><img src="${BEACON}" onerror="${SCRIPT}"><iframe src="${BEACON}"></iframe><form action="${BEACON}"><input autofocus onfocus="${SCRIPT}"></form><script>${SCRIPT}</script></body></html>`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="${SCRIPT}"><script>${SCRIPT}</script><image xlink:href="${BEACON}"/><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="${BEACON}"/></foreignObject></svg>`
const PDF = `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert('PWNED');this.submitForm('${BEACON}'))>>>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF`

/** What could be in a file that no check has looked at. */
const CORPUS: Record<string, string | Uint8Array> = {
  html: HTML,
  'html behind blanks': `${'\n \t'.repeat(300)}${HTML}`,
  'html in UTF-16': Buffer.from(`\ufeff${HTML}`, 'utf16le'),
  svg: SVG,
  xml: `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${BEACON}"?>${SVG}`,
  xhtml: `<html xmlns="http://www.w3.org/1999/xhtml"><body><script>${SCRIPT}</script></body></html>`,
  script: SCRIPT,
  style: `@import url(${BEACON});body{background:url(${BEACON})}`,
  pdf: PDF,
  json: `{"x":"<script>${SCRIPT}</script>"}`,
  'GIF and script': `GIF89a/*${'\0'.repeat(20)}*/=1;${SCRIPT}`,
  'PNG and html': Buffer.concat([png(), Buffer.from(HTML)]),
  'PNG and script': Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from(HTML)]),
  'JPEG and PDF': Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(PDF)]),
  'WebP and svg': Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'), Buffer.from(SVG)]),
  'glTF and html': Buffer.concat([Buffer.from('glTF\x02\0\0\0', 'latin1'), Buffer.from(HTML)]),
}

/** A page of somebody else that tries everything with an address. */
const attackerPage = (url: string) => `<!doctype html><title>attacker</title>
<link rel="stylesheet" href="${url}"><link rel="manifest" href="${url}">
<img src="${url}"><iframe src="${url}"></iframe><iframe srcdoc='<script src="${url}"></script>'></iframe>
<object data="${url}"></object><object data="${url}" type="text/html"></object><object data="${url}" type="image/svg+xml"></object>
<embed src="${url}"><embed src="${url}" type="application/pdf"><video src="${url}"></video><audio src="${url}"></audio>
<svg><use href="${url}#x"/><image href="${url}"/></svg>
<script src="${url}"></script><script type="module" src="${url}"></script>
<script>
  import('${url}').catch(() => {})
  try { new Worker('${url}') } catch {}
  navigator.serviceWorker?.register('${url}').catch(() => {})
</script>`

describe.skipIf(!hasChromium)('files in a browser', () => {
  let browser: Browser
  const pages = new Map<string, { type: string; body: string | Uint8Array<ArrayBuffer> }>()
  const attacker = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      const page = pages.get(new URL(url).pathname)
      return new Response(page?.body ?? '', { headers: { 'content-type': page?.type ?? 'text/html' } })
    },
  })
  /** Another site than the one that the files are on. */
  const origin = `http://localhost:${attacker.port}`
  beforeAll(async () => {
    browser = await openChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await attacker.stop(true)
  })

  /** Everything that a file does which lies there quietly does not. */
  async function watch(run: (context: BrowserContext) => Promise<void>, allowed: string[]) {
    const context = await browser.newContext({ acceptDownloads: false })
    const seen: string[] = []
    context.on('request', (request) => {
      if (!allowed.includes(request.url())) seen.push(`request ${request.url()}`)
    })
    context.on('console', (message) => {
      if (message.text() === 'PWNED') seen.push('script')
    })
    context.on('dialog', (dialog) => {
      seen.push('dialog')
      void dialog.dismiss().catch(() => {})
    })
    await run(context)
    await context.close()
    return [...new Set(seen)]
  }

  async function inTab(context: BrowserContext, url: string) {
    const page = await context.newPage()
    // An attachment is no page: the navigation ends.
    await page.goto(url, { waitUntil: 'load', timeout: 5000 }).catch(() => {})
    await page.waitForTimeout(SETTLE_MS)
    expect(await page.title()).not.toContain('PWNED')
    await page.close()
  }

  async function onPage(context: BrowserContext, url: string) {
    pages.set('/attack', { type: 'text/html', body: attackerPage(url) })
    const page = await context.newPage()
    await page.goto(`${origin}/attack`, { waitUntil: 'load', timeout: 10_000 })
    await page.waitForTimeout(SETTLE_MS)
    expect(await page.evaluate('self.pwned')).toBeUndefined()
    expect([await page.title(), page.url()]).toEqual(['attacker', `${origin}/attack`])
    await page.close()
  }

  for (const contentType of CONTENT_TYPES)
    test(`declared as ${contentType} run nothing and load nothing, with any content`, async () => {
      for (const [name, content] of Object.entries(CORPUS)) {
        const { key } = await makeFile({ content, contentType, filename: 'file.html' })
        const url = apiUrl() + fileUrl(key)
        const seen = await watch(
          async (context) => {
            await inTab(context, url)
            await onPage(context, url)
          },
          [url, `${origin}/attack`],
        )
        expect([name, seen]).toEqual([name, []])
      }
    }, 180_000)

  test('control: the same bytes from a server that lets them do run and ask', async () => {
    pages.set('/html', { type: 'text/html', body: HTML })
    pages.set('/script', { type: 'text/javascript', body: SCRIPT })
    const html = await watch(
      (context) => inTab(context, `${origin}/html`).catch(() => {}),
      [`${origin}/html`],
    )
    expect(html).toEqual(expect.arrayContaining(['script', `request ${BEACON}`]))
    const script = await watch(
      (context) => onPage(context, `${origin}/script`).catch(() => {}),
      [`${origin}/script`, `${origin}/attack`],
    )
    expect(script).toContain('script')
  })

  test('pictures are shown on pages of any origin, and in a tab of their own', async () => {
    const { key } = await makeFile({ content: png(40, 30) })
    const url = apiUrl() + fileUrl(key)
    pages.set('/show', { type: 'text/html', body: `<img src="${url}" crossorigin="anonymous">` })
    const page = await browser.newPage()
    for (const address of [`${origin}/show`, url]) {
      await page.goto(address, { waitUntil: 'load' })
      expect(await page.evaluate('document.images[0].naturalWidth')).toBe(40)
    }
    await page.close()
  })
})
