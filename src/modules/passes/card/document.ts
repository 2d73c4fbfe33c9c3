import { config } from '@/config/config'
import { Html, html, type Piece } from '@/web/html'
import { inline, squeezed } from '@/web/inline'
import { MARK } from '@/web/layout'
import colours from '@/web/styles/colours.css' with { type: 'text' }
import themes from '@/web/styles/themes.css' with { type: 'text' }
import { LANGUAGES, type Language } from '@/words/language'
import type { Words } from '@/words/words'
import stylesheet from './card.css' with { type: 'text' }

const style = inline('style', squeezed(colours + themes + stylesheet))

export const CARD_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    `style-src ${style.source}`,
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}

export type Card = { status: number; body: string }

type Own = {
  title: Piece
  head?: Piece
  /** Name of the accent color. */
  theme: Piece
  /** A card with actions, or a short message. */
  layout: Piece
  main: Piece
}

/** Loads nothing from other hosts and needs no script. */
const frame = ({ title, head, theme, layout, main }: Own): string =>
  html`<!doctype html>
<html lang="${LANGUAGES[0]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
${style.element}
<title>${title} · ${config.siteName}</title>${head}
</head>
<body class="${theme}">
<main class="${layout}">
${main}
</main>
<footer class="foot"><a class="brand" href="/">${MARK}<span dir="auto">${config.siteName}</span></a></footer>
</body>
</html>
`.text

const CUT = '\u0000'
const [BEFORE, afterTitle, afterHead, afterTheme, afterLayout, AFTER] = frame({
  title: CUT,
  head: CUT,
  theme: CUT,
  layout: CUT,
  main: CUT,
})
  .split(CUT)
  .map((text) => new Html(text)) as [Html, Html, Html, Html, Html, Html]

/** The variable part of a document: caching only this keeps memory small. */
export const partOf = ({ title, head, theme, layout, main }: Own): string =>
  html`${title}${afterTitle}${head}${afterHead}${theme}${afterTheme}${layout}${afterLayout}${main}`.text

/** The shared beginning differs only in these two letters. */
const LANGUAGE_AT = BEFORE.text.indexOf(`lang="${LANGUAGES[0]}"`) + 'lang="'.length
const beginnings = new Map(
  LANGUAGES.map((language) => [
    language,
    BEFORE.text.slice(0, LANGUAGE_AT) + language + BEFORE.text.slice(LANGUAGE_AT + 2),
  ]),
)

export const joined = (part: string, language: Language): string =>
  `${beginnings.get(language)}${part}${AFTER.text}`

const [before, after] = [BEFORE, AFTER].map(({ text }) => Buffer.from(text)) as [Buffer, Buffer]

/** A copy, because the language is written into it. */
let sheet = Buffer.from(before)

/**
 * The document as bytes in a shared buffer: the `Response` copies them before the next call overwrites them. Saves allocations of
 * the size of a document.
 */
export function joinedBytes(part: Uint8Array, language: Language): Uint8Array {
  const end = before.length + part.length
  const length = end + after.length
  if (sheet.length < length) sheet = Buffer.concat([before], 2 * length)
  sheet[LANGUAGE_AT] = language.charCodeAt(0)
  sheet[LANGUAGE_AT + 1] = language.charCodeAt(1)
  sheet.set(part, before.length)
  sheet.set(after, end)
  return sheet.subarray(0, length)
}

export const documentOf = (status: number, { language }: Words, own: Own): Card => ({
  status,
  body: joined(partOf(own), language),
})
