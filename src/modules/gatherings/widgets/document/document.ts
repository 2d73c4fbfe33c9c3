import { config } from '@/config/config'
import { FORMATS, type Format } from '@/modules/gatherings/feeds/feed'
import { embedLinks } from '@/web/head'
import { type Html, html } from '@/web/html'
import { inline, squeezed } from '@/web/inline'
import colours from '@/web/styles/colours.css' with { type: 'text' }
import type { Theme } from '../request'
import frameScript from './frame.js' with { type: 'text' }
import stylesheet from './widget.css' with { type: 'text' }

const style = inline('style', squeezed(colours + stylesheet))
const script = inline('script', frameScript.replaceAll(/(?<=\n) +/g, ''))

/** Any site may frame it. */
export const FRAMED_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'public, max-age=60',
  vary: 'Accept-Encoding',
  'cross-origin-resource-policy': 'cross-origin',
  'content-security-policy': [
    "default-src 'none'",
    `style-src ${style.source}`,
    `script-src ${script.source}`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; '),
}

const FEED_TYPES: Record<Format, string> = {
  ics: 'text/calendar',
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  json: 'application/feed+json',
}

type Framed = {
  title: string
  /** Null if the widget cannot be embedded. */
  path: string | null
  theme: Theme
  feeds: Readonly<Record<Format, string>>
  body: Html
}

/** Loads nothing from other hosts and sets no cookie. */
export const framed = ({ title, path, theme, feeds, body }: Framed): string =>
  html`<!doctype html>
<html lang="en" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · ${config.siteName}</title>
${FORMATS.map((format) => html`<link rel="alternate" type="${FEED_TYPES[format]}" title="${title}" href="${feeds[format]}">\n`)}${path !== null && embedLinks(config.baseUrl + path, title)}${style.element}
</head>
<body>
${body}
${script.element}
</body>
</html>
`.text
