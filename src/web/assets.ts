import { config } from '@/config/config'
import { notFound } from '@/core/errors'
import { type CachedBody, cachedBody, knownTag, respondCached } from '@/http/encodings'
import { respond } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { accentStyle } from './accent'
import { squeezed } from './inline'
import copy from './islands/copy.js' with { type: 'text' }
import live from './islands/live.js' with { type: 'text' }
import ownTime from './islands/own-time.js' with { type: 'text' }
import share from './islands/share.js' with { type: 'text' }
import stage from './islands/stage.js' with { type: 'text' }
import suggest from './islands/suggest.js' with { type: 'text' }
import base from './styles/base.css' with { type: 'text' }
import colours from './styles/colours.css' with { type: 'text' }
import events from './styles/events.css' with { type: 'text' }
import frame from './styles/frame.css' with { type: 'text' }
import groups from './styles/groups.css' with { type: 'text' }
import home from './styles/home.css' with { type: 'text' }
import manage from './styles/manage.css' with { type: 'text' }
import parts from './styles/parts.css' with { type: 'text' }
import people from './styles/people.css' with { type: 'text' }
import recognition from './styles/recognition.css' with { type: 'text' }
import settings from './styles/settings.css' with { type: 'text' }
import themes from './styles/themes.css' with { type: 'text' }

/** The stylesheet of every page. A page's accent overrides the site's. */
const stylesheet = squeezed(
  [
    colours,
    accentStyle(config.site.accent),
    themes,
    base,
    frame,
    parts,
    home,
    events,
    groups,
    people,
    recognition,
    settings,
    manage,
  ].join('\n'),
)

/** Script sources by name. */
const ISLANDS = { copy, live, 'own-time': ownTime, share, stage, suggest }

export type AssetName = keyof typeof ISLANDS

type Asset = { path: string; name: string; body: CachedBody; headers: Readonly<Record<string, string>> }

const KEPT = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' }
const HEADERS = {
  css: { 'content-type': 'text/css; charset=utf-8', ...KEPT },
  js: { 'content-type': 'text/javascript; charset=utf-8', ...KEPT },
  // An SVG opened as a document could run scripts.
  svg: {
    'content-type': 'image/svg+xml; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    ...KEPT,
  },
  png: { 'content-type': 'image/png', ...KEPT },
  jpg: { 'content-type': 'image/jpeg', ...KEPT },
  webp: { 'content-type': 'image/webp', ...KEPT },
}

/** The name is a content hash, so that it can be cached for ever. */
function asset(stem: string, ending: keyof typeof HEADERS, content: string | Uint8Array): Asset {
  const body = cachedBody(typeof content === 'string' ? new TextEncoder().encode(content) : content)
  const name = `${stem}-${body.etag.replaceAll('"', '')}.${ending}`
  return { name, path: `/assets/${name}`, body, headers: HEADERS[ending] }
}

const styles = asset('folkmoot', 'css', stylesheet)

/** Minified; each is one file without imports. */
const islands = new Map(
  Object.entries(ISLANDS).map(([name, source]) => [name, asset(name, 'js', stripped(source))]),
)

function stripped(source: string): string {
  const transpiler = new Bun.Transpiler({ loader: 'js', target: 'browser', minifyWhitespace: true })
  return transpiler.transformSync(source)
}

const { logo: ownLogo } = config.site
const logo = ownLogo && asset('logo', ownLogo.kind, ownLogo.bytes)

const byName = new Map([styles, ...islands.values(), ...(logo ? [logo] : [])].map((one) => [one.name, one]))

export const stylesheetPath = styles.path

/** The operator's logo, if any. */
export const logoPath = logo?.path

export const assetPath = (name: AssetName): string => (islands.get(name) as Asset).path

const STEM_AND_ENDING = /^(.+)-[0-9a-z]+\.(\w+)$/

/** During a rolling update a page of one release may request another's styles: the current ones fit better than none. */
function current(name: string): Pick<Asset, 'body' | 'headers'> {
  const [, stem, ending] = STEM_AND_ENDING.exec(name) ?? []
  const asked = stem === 'folkmoot' && ending === 'css' ? styles : ending === 'js' && islands.get(stem ?? '')
  if (!asked) throw notFound('Page')
  return { body: asked.body, headers: { ...asked.headers, 'cache-control': 'no-cache' } }
}

export function webAsset(visit: Visit, name: string): Response | Promise<Response> {
  const found = byName.get(name) ?? current(name)
  const known = visit.request.headers.get('if-none-match')
  const etag = known === null ? undefined : knownTag(known, found.body.etag)
  if (etag !== undefined) return respond(visit, 304, null, found.headers, { etag })
  return respondCached(visit, found.body, found.headers)
}
