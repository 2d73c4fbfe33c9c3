/** Longer than any name that the API accepts; imported ones get an ellipsis. */
const LONGEST = 300

/** No script needs more marks on one letter; a stack of them would shrink all other text. */
const TOWERS = /(\p{M}{4})\p{M}+/gu

/** Bidi controls would flip the badge; invisible characters need no glyph. */
const UNSEEN = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu

/** Fast path: codes and most names need no cleaning. */
const PLAIN = /^[\x21-\x7e\u00c0-\u017f]+(?: [\x21-\x7e\u00c0-\u017f]+)*$/

/** One line without control characters. */
export function printable(text: string): string {
  if (text.length <= LONGEST && PLAIN.test(text)) return text
  const whole = text
    .slice(0, 20 * LONGEST)
    .toWellFormed()
    .replace(/[\s\p{Zl}\p{Zp}\u0085]+/gu, ' ')
    .replace(UNSEEN, '')
    .normalize('NFC')
    .replace(TOWERS, '$1')
    .trim()
  const characters = [...whole]
  return characters.length <= LONGEST
    ? whole
    : `${characters
        .slice(0, LONGEST - 1)
        .join('')
        .trimEnd()}…`
}
