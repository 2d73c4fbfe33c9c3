import type { Cut } from './frame'
import { readable } from './readable'

/*
 * `feed` and the `xml-js` below it let text break out: of CDATA by its second `]]>`, of attributes by `<`; they read `&amp;` in a
 * text as `&`. So they are given no character that means anything in XML. Whatever people typed passes with marks in their
 * place, which no readable text holds, and once all markup is written, the marks become references. No text is left in CDATA.
 */
const [AMPERSAND, LESS, GREATER, QUOTE] = ['\u0001', '\u0002', '\u0003', '\u0004']

/** A text without any character of XML's own. */
export const inert = (text: string): string =>
  readable(text)
    .replaceAll('&', AMPERSAND)
    .replaceAll('<', LESS)
    .replaceAll('>', GREATER)
    .replaceAll('"', QUOTE)

/** Markup in which inert texts say again what they said. */
const revived = (markup: string): string =>
  markup
    .replaceAll('<![CDATA[', '')
    .replaceAll(']]>', '')
    .replaceAll(AMPERSAND, '&amp;')
    .replaceAll(LESS, '&lt;')
    .replaceAll(GREATER, '&gt;')
    .replaceAll(QUOTE, '&quot;')

/** Cuts before the first element of a name and after the last; inert texts hold no tags. */
export const cutMarkup =
  (element: string): Cut =>
  (written) => {
    const from = written.indexOf(`<${element}>`)
    const to = written.lastIndexOf(`</${element}>`) + element.length + 3
    return [revived(written.slice(0, from)), revived(written.slice(from, to)), revived(written.slice(to))]
  }
