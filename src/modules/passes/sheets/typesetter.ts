import type { Weight } from './fonts/families'
import type { Library } from './fonts/library'
import { type Block, fit, type Place } from './text/fit'
import { printable } from './text/printable'
import { type Paragraph, paragraphOf } from './text/runs'

/** Sets texts and collects missing glyphs. */
export class Typesetter {
  readonly #library: Library
  readonly #kept = new Map<string, Block>()
  readonly #missing = new Map<string, Set<string>>()

  constructor(library: Library) {
    this.#library = library
  }

  /** Caches texts that are on every label, such as the title. */
  setOnce(text: string, weight: Weight, place: Place): Block {
    const key = JSON.stringify([text, weight, place])
    const known = this.#kept.get(key) ?? this.set(text, weight, place)
    this.#kept.set(key, known)
    return known
  }

  /** If no letter has a glyph, prints `fallback` and reports the text. */
  set(text: string, weight: Weight, place: Place, fallback?: string): Block {
    const paragraph = paragraphOf(printable(text), weight, this.#library)
    if (paragraph.missing.length > 0) {
      const known = this.#missing.get(text) ?? new Set()
      for (const character of paragraph.missing) known.add(character)
      this.#missing.set(text, known)
    }
    const isShown = fallback === undefined || isReadable(paragraph)
    return fit(isShown ? paragraph : paragraphOf(printable(fallback), weight, this.#library), place)
  }

  get missing() {
    return [...this.#missing].map(([name, characters]) => ({ name, characters: [...characters] }))
  }
}

/** A name of symbols only counts as readable if no glyph is missing. */
const isReadable = ({ text, missing }: Paragraph) =>
  missing.length === 0 ? text !== '' : /[\p{L}\p{N}]/u.test(text)
