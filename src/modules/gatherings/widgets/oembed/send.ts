import { Type } from '@sinclair/typebox'
import { config } from '@/config/config'
import { line, oneOf, optional, whole } from '@/core/fields'
import { parser } from '@/core/parse'
import { db } from '@/db/client'
import { readQuery } from '@/http/input'
import { respondTagged, tagged } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { readable } from '@/modules/gatherings/feeds/news/readable'
import { WIDTHS } from '@/modules/people/uploads/content/content-types'
import { keyOf, publicUrl } from '@/modules/people/uploads/key'
import { findUploadByKey } from '@/modules/people/uploads/queries'
import { Html, html } from '@/web/html'
import { SANDBOX } from '../embed/script'
import { type Thing, thingAt } from './things'

type Embed = {
  version: '1.0'
  type: 'rich'
  title: string
  author_name?: string
  author_url?: string
  provider_name: string
  provider_url: string
  cache_age: number
  html: string
  width: number
  height: number
} & Partial<Thumbnail>

const CACHE_AGE_SECONDS = 3600

/** Heights measured in browsers with the longest texts, so that nothing is cut off. */
const WIDE_FROM = 552
const SIZES = {
  'next-event': { width: 640, height: 530, narrow: 670 },
  carousel: { width: 800, height: 580, narrow: 580 },
}

async function embedOf(address: string, { maxwidth, maxheight }: Room): Promise<Embed> {
  const thing = await thingAt(address)
  const size = SIZES[thing.widget]
  const width = Math.min(size.width, maxwidth ?? size.width)
  const height = Math.min(width < WIDE_FROM ? size.narrow : size.height, maxheight ?? size.narrow)
  const title = readable(thing.title)
  return {
    version: '1.0',
    type: 'rich',
    title,
    ...(thing.author && { author_name: readable(thing.author.name), author_url: thing.author.url }),
    provider_name: readable(config.siteName),
    provider_url: config.baseUrl,
    cache_age: CACHE_AGE_SECONDS,
    html: frameOf(thing, title, width, height),
    width,
    height,
    ...(await thumbnailOf(thing.photoUrl, { maxwidth, maxheight })),
  }
}

/**
 * Browsers paint an opaque background behind a frame whose color scheme differs from the document's. Constant, so that no value
 * enters a style attribute.
 */
const STYLES: Record<string, Html> = {
  light: html`style="border:0;max-width:100%;color-scheme:light"`,
  dark: html`style="border:0;max-width:100%;color-scheme:dark"`,
  auto: html`style="border:0;max-width:100%;color-scheme:light dark"`,
}

const styleFor = (path: string) => STYLES[/[?&]theme=(light|dark)\b/.exec(path)?.[1] ?? 'auto']

const frameOf = ({ path }: Thing, title: string, width: number, height: number) =>
  html`<iframe src="${config.baseUrl}${path}" title="${title}" width="${width}" height="${height}" loading="lazy" referrerpolicy="no-referrer" sandbox="${SANDBOX}" ${styleFor(path)}></iframe>`
    .text

/** The consumer's size limits in pixels. */
type Room = { maxwidth?: number; maxheight?: number }

type Thumbnail = { thumbnail_url: string; thumbnail_width: number; thumbnail_height: number }

const WIDTH_MAX = 640

/** Only for our own images, in the largest width that fits. */
async function thumbnailOf(
  photoUrl: string | null,
  { maxwidth = WIDTH_MAX, maxheight = Number.POSITIVE_INFINITY }: Room,
): Promise<Thumbnail | undefined> {
  const key = photoUrl === null ? undefined : keyOf(photoUrl)
  const upload = key ? await findUploadByKey(db, key) : undefined
  if (!key || upload?.state !== 'ready' || upload.width === null || upload.height === null) return undefined
  const [whole, ratio] = [upload.width, upload.height / upload.width]
  const widest = Math.min(WIDTH_MAX, maxwidth, maxheight / ratio)
  if (whole <= widest) return thumbnail(publicUrl(key), whole, ratio)
  const width = WIDTHS.find((one) => one <= widest)
  return width && thumbnail(`${publicUrl(key)}?w=${width}`, width, ratio)
}

const thumbnail = (url: string, width: number, ratio: number): Thumbnail => ({
  thumbnail_url: url,
  thumbnail_width: width,
  thumbnail_height: Math.max(1, Math.round(width * ratio)),
})

const SIZE_MAX = 100_000

export const OEMBED_QUERY = Type.Object({
  url: line(1, 2048, { description: 'The address of an event, a group or a widget here.' }),
  format: optional(oneOf(['json', 'xml'])),
  maxwidth: optional(whole(1, SIZE_MAX)),
  maxheight: optional(whole(1, SIZE_MAX)),
})
const parse = parser(OEMBED_QUERY)

/** Rate limit headers are per reader, so shared caches must not store it. */
const FRESH = { 'cache-control': 'private, max-age=300' }
const HEADERS = {
  json: { 'content-type': 'application/json; charset=utf-8', ...FRESH },
  xml: { 'content-type': 'text/xml; charset=utf-8', ...FRESH },
}

export async function sendEmbed(visit: Visit): Promise<Response> {
  const { url, format = 'json', ...room } = parse(readQuery(OEMBED_QUERY.properties, visit.request.url) ?? {})
  const embed = await embedOf(url, room)
  return respondTagged(
    visit,
    tagged(format === 'json' ? JSON.stringify(embed) : xmlOf(embed)),
    HEADERS[format],
  )
}

/** Texts are already valid XML characters. */
const xmlOf = (embed: Embed): string =>
  `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n${
    html`${new Html('<oembed>')}${Object.entries(embed).map(
      ([name, value]) => html`${new Html(`<${name}>`)}${value}${new Html(`</${name}>`)}`,
    )}${new Html('</oembed>')}`.text
  }\n`
