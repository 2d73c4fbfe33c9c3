import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { config } from '@/config/config'
import { notFound } from '@/core/errors'
import { respondTagged, type Tagged, tagged } from './respond'
import type { Visit } from './visit'

/** Twemoji: one SVG file per emoji, named after its code points. */
const folder = join(
  dirname(Bun.resolveSync('@discordapp/twemoji/package.json', import.meta.dir)),
  'dist',
  'svg',
)

/** An SVG may be opened as a document, so it may load and run nothing. */
const HEADERS = {
  'content-type': 'image/svg+xml',
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
}

/** The address of an emoji's picture, or null. */
export function emojiUrl(emoji: string): string | null {
  const file = files().get(`${bare(pointsOf(emoji))}.svg`)
  return file === undefined ? null : `${config.baseUrl}/assets/emoji/${file}`
}

export async function emojiAsset(visit: Visit, file: string): Promise<Response> {
  // Only files of the set exist.
  if (files().get(bare(file)) !== file) throw notFound('Page')
  return respondTagged(visit, drawings.get(file) ?? (await read(file)), HEADERS)
}

let found: Map<string, string> | undefined

/** The files by name without the variation selector, which only some of them carry. */
function files(): Map<string, string> {
  found ??= new Map(readdirSync(folder).map((file) => [bare(file), file]))
  return found
}

const pointsOf = (emoji: string) =>
  Array.from(emoji, (character) => character.codePointAt(0)?.toString(16)).join('-')

const bare = (points: string) => points.replaceAll('-fe0f', '')

/** At most the whole set, a few megabytes. */
const drawings = new Map<string, Tagged>()

async function read(file: string): Promise<Tagged> {
  const drawing = tagged(await Bun.file(join(folder, file)).text())
  drawings.set(file, drawing)
  return drawing
}
