import { readable } from './readable'

const [BEFORE, AFTER] = ['\u0001', '\u0002']

/** Placeholders made of characters that XML cannot carry, so that no user text contains one. */
export const slot = (name: string) => `${BEFORE}${name}${AFTER}`

export type Form = (values: Record<string, string>) => string

/**
 * Markup with placeholders to fill in. `feed` and `xml-js` let text break out: of CDATA by a second `]]>`, of attributes by `<`;
 * and they decode `&amp;` in text. So they render templates without user text, and this module escapes it.
 */
export function formOf(written: string): Form {
  const [start = '', ...rest] = written
    .replaceAll('<![CDATA[', '')
    .replaceAll(']]>', '')
    .split(/\u0001(\w+)\u0002/)
  return (values) => {
    let filled = start
    for (let i = 0; i < rest.length; i += 2)
      filled += Bun.escapeHTML(readable(values[rest[i] as string] as string)) + rest[i + 1]
    return filled
  }
}
