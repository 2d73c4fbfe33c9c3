/** Escaped markup, safe to send. */
export class Html {
  constructor(readonly text: string) {}
}

export type Piece = Html | string | number | null | undefined | false | Piece[]

/**
 * A template that escapes its values. Attributes are always quoted, so one escape fits everywhere. Not JSX, which needs a runtime
 * and types for all of HTML, changes bytes and takes twice the time; docs/decisions/no-jsx.md compares both. A test checks quotes
 * and closing tags, as a JSX compiler would.
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
