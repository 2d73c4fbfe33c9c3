import { dirname, join } from 'node:path'
import { notFound } from '@/core/errors'
import { GUIDES, guideNamed, renderGuide } from './guides'
import { respondTagged, tagged } from './respond'
import type { Visit } from './visit'

const folder = dirname(Bun.resolveSync('swagger-ui-dist/package.json', import.meta.dir))

const ASSETS: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

const page = (title: string, more: string, main: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/docs/favicon-32x32.png">
${more}<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<nav aria-label="Documentation"><a href="/docs">API reference</a>${GUIDES.map(
  ({ name, title }) => ` <a href="/docs/guides/${name}">${Bun.escapeHTML(title)}</a>`,
).join('')}</nav>
${main}
</body>
</html>
`

const REFERENCE = page(
  'Folkmoot API',
  '<link rel="stylesheet" href="/docs/swagger-ui.css">\n',
  `<main id="docs"><noscript>The reference needs JavaScript; the same description is at <a href="/openapi.json">/openapi.json</a>. The guides do without.</noscript></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/page.js"></script>`,
)

const SCRIPT = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  persistAuthorization: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
})
if (matchMedia('(prefers-color-scheme: dark)').matches) document.documentElement.classList.add('dark-mode')
`

const STYLE = `body { margin: 0; font: 16px/1.6 system-ui, sans-serif }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: .75rem 1.25rem; border-bottom: 1px solid #8884 }
main.guide { max-width: 52rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; overflow-wrap: anywhere }
pre { overflow-x: auto; padding: .75rem 1rem; background: #8882; border-radius: .375rem; font-size: .875rem }
table { display: block; overflow-x: auto; border-collapse: collapse }
th, td { padding: .25rem .75rem; border: 1px solid #8884; text-align: start; vertical-align: top }
.swagger-ui .topbar { display: none }
`

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

const ASSET_HEADERS = { 'cache-control': 'public, max-age=3600' }

/** The interactive documentation loads nothing from other hosts. */
export const docsPage = (visit: Visit) => respondTagged(visit, tagged(REFERENCE), PAGE_HEADERS)

const INDEX = `<main class="guide"><h1>Guides</h1><ul>${GUIDES.map(
  ({ name, title }) => `<li><a href="/docs/guides/${name}">${Bun.escapeHTML(title)}</a></li>`,
).join('')}</ul></main>`

export const guidesPage = (visit: Visit) =>
  respondTagged(visit, tagged(page('Guides · Folkmoot API', '', INDEX)), PAGE_HEADERS)

/** A guide as a page, or as Markdown with `.md` after its name. */
export function guidePage(visit: Visit, asked: string): Response {
  const guide = guideNamed(asked.replace(/\.md$/, ''))
  if (!guide) throw notFound('Page')
  if (asked.endsWith('.md')) return respondTagged(visit, tagged(guide.text), MARKDOWN_HEADERS)
  const main = `<main class="guide">${renderGuide(guide)}</main>`
  const title = `${Bun.escapeHTML(guide.title)} · Folkmoot API`
  return respondTagged(visit, tagged(page(title, '', main)), PAGE_HEADERS)
}

const MARKDOWN_HEADERS = { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': 'no-cache' }

export async function docsAsset(visit: Visit, name: string): Promise<Response> {
  if (name === 'page.js') return asset(visit, SCRIPT, 'text/javascript; charset=utf-8')
  if (name === 'page.css') return asset(visit, STYLE, 'text/css; charset=utf-8')
  const type = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined
  if (!type) throw notFound('Page')
  return asset(visit, await packed(name), type, { 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
}

const asset = (visit: Visit, body: string | Uint8Array, type: string, more: Record<string, string> = {}) =>
  respondTagged(visit, tagged(body), ASSET_HEADERS, { 'content-type': type, ...more })

const packedAssets = new Map<string, Uint8Array>()

async function packed(name: string): Promise<Uint8Array> {
  const known = packedAssets.get(name)
  if (known) return known
  const bytes = Bun.gzipSync(new Uint8Array(await Bun.file(join(folder, name)).arrayBuffer()))
  packedAssets.set(name, bytes)
  return bytes
}
