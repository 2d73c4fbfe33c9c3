/** Markup that is safe to send: whatever people typed has been escaped on its way in. */
export class Html {
  constructor(readonly text: string) {}
}

export type Piece = Html | string | number | null | undefined | false | Piece[]

/**
 * A template whose holes are escaped. Attributes are always quoted in it, so one escape serves everywhere. It is no JSX,
 * which would need a runtime and types for all of HTML, gives other bytes than were written and takes twice the time;
 * docs/decisions/no-jsx.md weighs both. A test does what a compiler of JSX would: quotes, and elements that close.
 */
export function html(parts: TemplateStringsArray, ...pieces: Piece[]): Html {
  let text = parts[0] as string
  for (let i = 0; i < pieces.length; i += 1) text += render(pieces[i]) + parts[i + 1]
  return new Html(text)
}

function render(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (piece instanceof Html) return piece.text
  if (Array.isArray(piece)) return piece.map(render).join('')
  return escaped(String(piece))
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] as string)
