/** Longer than any name that our own doors take; what comes another way ends in an ellipsis that one can see. */
const LONGEST = 300

/** Marks on one letter: no script of a name needs more, and a tower of them would shrink everything else. */
const TOWERS = /(\p{M}{4})\p{M}+/gu

/** Orders to turn text around would turn the badge around; what cannot be seen needs no place. */
const UNSEEN = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu

/** Texts of which nothing has to be changed, as codes and most names are. */
const PLAIN = /^[\x21-\x7e\u00c0-\u017f]+(?: [\x21-\x7e\u00c0-\u017f]+)*$/

/** A text as it can be printed: in one line, without controls, whole characters only. */
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
