import { readable } from './readable'

const [BEFORE, AFTER] = ['\u0001', '\u0002']

/** Where a text will stand: marks that XML cannot carry and no readable text holds. */
export const slot = (name: string) => `${BEFORE}${name}${AFTER}`

export type Form = (values: Record<string, string>) => string

/**
 * Markup whose slots are filled after it was written. `feed` and the `xml-js` below it let text break out: of CDATA by its
 * second `]]>`, of attributes by `<`; they read `&amp;` in a text as `&`. So they write forms and are given no text at all; it is
 * escaped here, for elements and attributes alike.
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
