import type { Cut } from './frame'
import { readable } from './readable'

const [BEFORE, AFTER] = ['\u0001', '\u0002']

/**
 * `feed` and the `xml-js` below it let text break out: of CDATA by its second `]]>`, of attributes by `<`; they read `&amp;` in a
 * text as `&`. So they are given no text at all but its number, between marks that XML cannot carry and no readable text holds.
 * Once all markup is written, each number becomes its text, escaped for elements and attributes alike.
 */
export class Texts {
  private kept: string[] = []

  /** What stands for a text until the markup is written. */
  keep(text: string): string {
    return `${BEFORE}${this.kept.push(Bun.escapeHTML(readable(text))) - 1}${AFTER}`
  }

  /** Cuts written markup before the first element of a name and after the last, and puts the texts back. */
  cutAround = (element: string): Cut => {
    const [opening, closing] = [`<${element}>`, `</${element}>`]
    return (written) => {
      const from = written.indexOf(opening)
      const to = written.lastIndexOf(closing) + closing.length
      const pieces = [written.slice(0, from), written.slice(from, to), written.slice(to)]
      const [before = '', entries = '', after = ''] = pieces.map((piece) => this.putBack(piece))
      this.kept = []
      return [before, entries, after]
    }
  }

  private putBack(markup: string): string {
    return markup
      .replaceAll('<![CDATA[', '')
      .replaceAll(']]>', '')
      .replace(/\u0001(\d+)\u0002/g, (_, number: string) => this.kept[Number(number)] as string)
  }
}
