import { Type } from '@sinclair/typebox'
import { line, oneOf, optional, whole } from '@/core/fields'
import { parser } from '@/core/parse'
import { readQuery } from '@/http/input'
import { respondTagged, tagged } from '@/http/respond'
import type { Visit } from '@/http/visit'
import { Html, html } from '@/web/html'
import { type Embed, embedOf } from './answer'

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
