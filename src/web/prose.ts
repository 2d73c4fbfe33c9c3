import { Html, html } from './html'

export function excerpt(text: string | null, length: number): string {
  const line = (text ?? '')
    .slice(0, length * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  const letters = [...line]
  return letters.length > length ? `${letters.slice(0, length).join('').trimEnd()}…` : line
}

/** A normalized http(s) address, or null: anything else could run script, lead nowhere or show a password. */
export function webAddress(text: string | null): string | null {
  const url = text === null ? null : URL.parse(text)
  if (!url) return null
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb && url.username === '' && url.password === '' ? url.href : null
}

const ADDRESS = /https?:\/\/[^\s<>"`]+/gi

/** The end of an address in a sentence: excludes punctuation and unbalanced brackets. */
function endOfAddress(address: string): number {
  let end = address.length
  let open = 0
  for (const character of address) open += character === '(' ? 1 : character === ')' ? -1 : 0
  while (end > 0) {
    const last = address[end - 1] as string
    if (last === ')' && open < 0) open += 1
    else if (!".,;:!?'…]}*".includes(last)) break
    end -= 1
  }
  return end
}

/** Links the web addresses in people's text, with `nofollow`; other schemes stay text. */
export function linked(text: string): (Html | string)[] {
  if (!text.includes('://')) return [text]
  const pieces: (Html | string)[] = []
  let at = 0
  for (const match of text.matchAll(ADDRESS)) {
    const shown = match[0].slice(0, endOfAddress(match[0]))
    const href = webAddress(shown)
    if (!href) continue
    pieces.push(text.slice(at, match.index), html`<a href="${href}" rel="noopener nofollow ugc">${shown}</a>`)
    at = match.index + shown.length
  }
  return [...pieces, text.slice(at)]
}

/** Our tags contain no line feeds, so each remaining one was typed. */
const paragraph = (text: string) => new Html(html`<p>${linked(text)}</p>`.text.replaceAll('\n', '<br>'))

/** People's text as paragraphs, escaped. */
export const paragraphs = (text: string) =>
  text
    .split(/\n[ \t]*\n/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map(paragraph)
