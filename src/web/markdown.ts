import { Html, html, type Piece } from './html'
import { linked, webAddress } from './prose'

/** Rendering by kind of author. */
type Author = {
  heading: (level: number, text: Piece[]) => Html
  link: (label: string, target: string) => Piece
  address: (address: string) => Piece[]
  /** Renders a line feed inside a paragraph. */
  lines: (text: Piece[]) => Piece[]
}

/**
 * A strict subset of Markdown for the operator's texts: headings, paragraphs, lists, quotes, rules, links, emphasis and code.
 * HTML is escaped, and links may lead to the web, a mailbox or our own pages.
 */
export const markdown = (text: string): Html[] => blocksOf(text, OPERATOR)

/**
 * The same for members' descriptions, below a heading of the page: links lead to the web only, with `nofollow`, and line breaks
 * are kept.
 */
export const membersMarkdown = (text: string): Html[] => blocksOf(text, MEMBER)

function blocksOf(text: string, by: Author): Html[] {
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
    if (block !== undefined) blocks.push(block.made(part, by))
    else if (part.join('').trim() !== '') blocks.push(paragraph(part, by))
  }
  return blocks
}

/** The first heading of a text is the title of its page. */
export function titled(text: string): { title: string | null; rest: string } {
  const [, title, rest = ''] =
    /^\s*#[ \t]+([^\n]+?)[ \t#]*(?:\n([\s\S]*))?$/.exec(text.replace(/\r\n?/g, '\n')) ?? []
  return title === undefined ? { title: null, rest: text } : { title: plain(title), rest }
}

type Block = {
  begins: RegExp
  /** Whether a line continues the block; without it, the block is one line. */
  goesOn?: (line: string) => boolean
  made: (lines: string[], by: Author) => Html
}

const isBlank = (line: string) => line.trim() === ''

function goesOn(block: Block | undefined, line: string): boolean {
  if (block !== undefined) return block.goesOn?.(line) ?? false
  return !isBlank(line) && !BLOCKS.some(({ begins }) => begins.test(line))
}

const BULLET = /^ {0,3}[-*+][ \t]+/
const NUMBER = /^ {0,3}\d{1,9}[.)][ \t]+/
const QUOTE = /^ {0,3}>[ \t]?/

/** The lines of each item: an indented line continues the previous one. */
const itemsOf = (lines: string[], mark: RegExp): string[][] =>
  lines.reduce<string[][]>((items, line) => {
    if (mark.test(line)) items.push([line.replace(mark, '')])
    else items.at(-1)?.push(line.trim())
    return items
  }, [])

const item = (lines: string[], by: Author) => html`<li>${by.lines(inline(lines.join('\n'), by))}</li>`

const list = (mark: RegExp, made: (items: Html[]) => Html): Block => ({
  begins: mark,
  goesOn: (line) => mark.test(line) || (/^[ \t]+\S/.test(line) && !isBlank(line)),
  made: (lines, by) => made(itemsOf(lines, mark).map((one) => item(one, by))),
})

const BLOCKS: Block[] = [
  {
    begins: /^ {0,3}#{1,6}[ \t]+\S/,
    made: ([line = ''], by) => {
      const [, signs = '', text = ''] = /^\s*(#+)\s+(.*?)[ \t#]*$/.exec(line) ?? []
      return by.heading(signs.length, inline(text, by))
    },
  },
  { begins: /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/, made: () => html`<hr>` },
  list(BULLET, (items) => html`<ul>${items}</ul>`),
  list(NUMBER, (items) => html`<ol>${items}</ol>`),
  {
    begins: QUOTE,
    goesOn: (line) => QUOTE.test(line),
    made: (lines, by) =>
      html`<blockquote>${paragraph(
        lines.map((line) => line.replace(QUOTE, '')),
        by,
      )}</blockquote>`,
  },
  { begins: /^[ \t]*$/, made: () => new Html('') },
]

const paragraph = (lines: string[], by: Author) =>
  html`<p>${by.lines(inline(lines.map((line) => line.trim()).join('\n'), by))}</p>`

/** The first inline element: code, link, strong, emphasis, or a plain web address. */
const INLINE =
  /`([^`\n]+)`|\[([^[\]\n]+)\]\(([^()\s]+)\)|\*\*(?=\S)([^*]+?)\*\*|(?<![\w*])[*_](?=\S)([^*_\n]+?)[*_](?![\w*])|<?(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])>?/g

function inline(text: string, by: Author): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const found of text.matchAll(INLINE)) {
    pieces.push(text.slice(at, found.index), ...element(found, by))
    at = found.index + found[0].length
  }
  return [...pieces, text.slice(at)]
}

function element(found: RegExpExecArray, by: Author): Piece[] {
  const [, code, label, target, strong, emphasis, address] = found
  if (code !== undefined) return [html`<code>${code}</code>`]
  if (label !== undefined) return [by.link(label, target as string)]
  if (strong !== undefined) return [html`<strong>${inline(strong, by)}</strong>`]
  if (emphasis !== undefined) return [html`<em>${inline(emphasis, by)}</em>`]
  return by.address(address as string)
}

const TARGET = /^(?:https?:\/\/|mailto:|\/(?![/\\])|#)/i

const OPERATOR: Author = {
  // The page already has its h1.
  heading: (level, text) => (level < 3 ? html`<h2>${text}</h2>` : html`<h3>${text}</h3>`),
  // A forbidden target leaves only the label.
  link: (label, target) => (TARGET.test(target) ? html`<a href="${target}">${label}</a>` : label),
  address: (address) => [OPERATOR.link(address, address)],
  lines: (text) => text,
}

const MEMBER: Author = {
  heading: (level, text) => (level < 3 ? html`<h3>${text}</h3>` : html`<h4>${text}</h4>`),
  link: (label, target) => {
    const href = webAddress(target)
    return href ? html`<a href="${href}" rel="noopener nofollow ugc">${label}</a>` : label
  },
  address: linked,
  lines: (text) => text.flatMap((piece) => (typeof piece === 'string' ? brokenUp(piece) : [piece])),
}

const brokenUp = (text: string): Piece[] =>
  text.split('\n').flatMap((line, i) => (i === 0 ? [line] : [html`<br>`, line]))

const plain = (text: string) => text.replaceAll(/[*`]/g, '')
