import { Html, html } from './html'
import { webAddress } from './web-address'

const ADDRESS = /https?:\/\/[^\s<>"`]+/gi

/** Where an address in a sentence ends: not with the sentence's own signs, nor with a bracket that was opened before it. */
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

/** Text of people with its addresses as links, for which this server does not vouch; those that lead nowhere on the web stay text. */
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

/** No address and no tag of ours spans lines, so each line feed left is one that was typed. */
const paragraph = (text: string) => new Html(html`<p>${linked(text)}</p>`.text.replaceAll('\n', '<br>'))

/** A text of people in paragraphs. All markup is ours. */
export const paragraphs = (text: string) =>
  text
    .split(/\n[ \t]*\n/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map(paragraph)
