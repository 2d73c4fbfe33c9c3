import { dirname, join } from 'node:path'
import { notFound } from '@/core/errors'
import { respondTagged, tagged } from './respond'
import type { Visit } from './visit'

const folder = dirname(Bun.resolveSync('swagger-ui-dist/package.json', import.meta.dir))

const ASSETS: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Folkmoot API</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<main id="docs"><noscript>These pages need JavaScript; the same description is at <a href="/openapi.json">/openapi.json</a>.</noscript></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/page.js"></script>
</body>
</html>
`

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

const STYLE = `body { margin: 0 }
.swagger-ui .topbar { display: none }
`

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

const ASSET_HEADERS = { 'cache-control': 'public, max-age=3600' }

/** The interactive documentation comes from this server alone: no other host is asked for anything. */
export const docsPage = (visit: Visit) => respondTagged(visit, tagged(PAGE), PAGE_HEADERS)

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
