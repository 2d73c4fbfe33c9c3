import { notFound } from '@/core/errors'
import { respondTagged, tagged } from '@/http/respond'
import type { Visit } from '@/http/visit'
import colours from './colours.css' with { type: 'text' }
import stylesheet from './styles.css' with { type: 'text' }

const styles = tagged(colours + stylesheet)

/** The name changes with the content, so that it may be kept for ever. */
const NAME = `folkmoot-${styles.etag.replaceAll('"', '')}.css`

export const stylesheetPath = `/assets/${NAME}`

const STYLE_HEADERS = {
  'content-type': 'text/css; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
}

export function webAsset(visit: Visit, name: string): Response {
  if (name !== NAME) throw notFound('Page')
  return respondTagged(visit, styles, STYLE_HEADERS)
}
