import { Html, html, type Piece } from './html'

/**
 * A strict part of Markdown, for texts of the operator: headings, paragraphs, lists, quotes, rules, links, emphasis and code.
 * All markup is ours: HTML in a text is shown as it was typed, and a link leads to the web, to a mailbox or to a page of ours.
 */
export function markdown(text: string): Html[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
  const blocks: Html[] = []
  for (let at = 0; at < lines.length; ) {
    const block = BLOCKS.find(({ begins }) => begins.test(lines[at] as string))
    let end = at + 1
    while (end < lines.length && goesOn(block, lines[end] as string)) end += 1
    const part = lines.slice(at, end)
    at = end
    if (block !== undefined) blocks.push(block.made(part))
    else if (part.join('').trim() !== '') blocks.push(paragraph(part))
  }
  return blocks
}

/** The heading with which a text begins is the title of its page. */
export function titled(text: string): { title: string | null; rest: string } {
  const [, title, rest = ''] =
    /^\s*#[ \t]+([^\n]+?)[ \t#]*(?:\n([\s\S]*))?$/.exec(text.replace(/\r\n?/g, '\n')) ?? []
  return title === undefined ? { title: null, rest: text } : { title: plain(title), rest }
}

type Block = {
  begins: RegExp
  /** Whether a line goes on with it; without, it is one line. */
  goesOn?: (line: string) => boolean
  made: (lines: string[]) => Html
}

const isBlank = (line: string) => line.trim() === ''

function goesOn(block: Block | undefined, line: string): boolean {
  if (block !== undefined) return block.goesOn?.(line) ?? false
  return !isBlank(line) && !BLOCKS.some(({ begins }) => begins.test(line))
}

const BULLET = /^ {0,3}[-*+][ \t]+/
const NUMBER = /^ {0,3}\d{1,9}[.)][ \t]+/
const QUOTE = /^ {0,3}>[ \t]?/

/** The lines of each item: one that is indented goes on with the one before. */
const itemsOf = (lines: string[], mark: RegExp): string[][] =>
  lines.reduce<string[][]>((items, line) => {
    if (mark.test(line)) items.push([line.replace(mark, '')])
    else items.at(-1)?.push(line.trim())
    return items
  }, [])

const item = (lines: string[]) => html`<li>${inline(lines.join('\n'))}</li>`

const list = (mark: RegExp, made: (items: Html[]) => Html): Block => ({
  begins: mark,
  goesOn: (line) => mark.test(line) || (/^[ \t]+\S/.test(line) && !isBlank(line)),
  made: (lines) => made(itemsOf(lines, mark).map(item)),
})

const BLOCKS: Block[] = [
  {
    begins: /^ {0,3}#{1,6}[ \t]+\S/,
    made: ([line = '']) => {
      const [, signs = '', text = ''] = /^\s*(#+)\s+(.*?)[ \t#]*$/.exec(line) ?? []
      // The page has its first heading already.
      return signs.length < 3 ? html`<h2>${inline(text)}</h2>` : html`<h3>${inline(text)}</h3>`
    },
  },
  { begins: /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/, made: () => html`<hr>` },
  list(BULLET, (items) => html`<ul>${items}</ul>`),
  list(NUMBER, (items) => html`<ol>${items}</ol>`),
  {
    begins: QUOTE,
    goesOn: (line) => QUOTE.test(line),
    made: (lines) =>
      html`<blockquote>${paragraph(lines.map((line) => line.replace(QUOTE, '')))}</blockquote>`,
  },
  { begins: /^[ \t]*$/, made: () => new Html('') },
]

const paragraph = (lines: string[]) => html`<p>${inline(lines.map((line) => line.trim()).join('\n'))}</p>`

/** The first of these that a text holds: code, a link, strong, emphasis, an address of the web by itself. */
const INLINE =
  /`([^`\n]+)`|\[([^[\]\n]+)\]\(([^()\s]+)\)|\*\*(?=\S)([^*]+?)\*\*|(?<![\w*])[*_](?=\S)([^*_\n]+?)[*_](?![\w*])|<?(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])>?/g

function inline(text: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const found of text.matchAll(INLINE)) {
    pieces.push(text.slice(at, found.index), element(found))
    at = found.index + found[0].length
  }
  return [...pieces, text.slice(at)]
}

function element([, code, label, target, strong, emphasis, address]: RegExpExecArray): Piece {
  if (code !== undefined) return html`<code>${code}</code>`
  if (label !== undefined) return link(label, target as string)
  if (strong !== undefined) return html`<strong>${inline(strong)}</strong>`
  if (emphasis !== undefined) return html`<em>${inline(emphasis)}</em>`
  return link(address as string, address as string)
}

const TARGET = /^(?:https?:\/\/|mailto:|\/(?![/\\])|#)/i

/** Where it may not lead, the label stands alone. */
const link = (label: string, target: string): Piece =>
  TARGET.test(target) ? html`<a href="${target}">${label}</a>` : label

const plain = (text: string) => text.replaceAll(/[*`]/g, '')
