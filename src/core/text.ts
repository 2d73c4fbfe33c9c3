const LETTERS_MAX = 40

/** The edit distance of two words; infinite beyond two missing or extra letters. */
export function lettersBetween(word: string, typed: string): number {
  if (word === typed) return 0
  if (typed.length > LETTERS_MAX || Math.abs(word.length - typed.length) > 2) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: typed.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...word].entries()) {
    const next = [at + 1]
    for (let to = 1; to <= typed.length; to += 1)
      next[to] = Math.min(
        (row[to] as number) + 1,
        (next[to - 1] as number) + 1,
        (row[to - 1] as number) + (letter === typed[to - 1] ? 0 : 1),
      )
    row = next
  }
  return row[typed.length] as number
}

/** Formats `a, b or c`. */
export const listed = (parts: string[]) =>
  parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`

/** Cuts a text to `max` characters; old rows may be longer than today's limits. */
export function clipped(text: string, max: number): string {
  if (text.length <= max) return text
  const points = [...text]
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`
}

const OCTETS_MAX = 75

/**
 * Folds iCalendar and vCard lines at 75 octets, between characters (RFC 5545, 3.1; RFC 2426, 2.6). The calendar library's folding
 * iterates over characters and dominated feed rendering; this one skips short lines, skips the characters of ASCII lines, and
 * copies whole slices.
 */
export function fold(lines: string): string {
  const nextCut = BEYOND_ASCII.test(lines) ? cutInOctets : cutInLetters
  let folded = ''
  let copied = 0
  for (let from = 0; from < lines.length; ) {
    const lineEnd = lines.indexOf('\r\n', from)
    const end = lineEnd < 0 ? lines.length : lineEnd
    // A continuation line begins with a space.
    for (let cut = nextCut(lines, from, end, 0); cut < end; cut = nextCut(lines, cut, end, 1)) {
      folded += `${lines.slice(copied, cut)}\r\n `
      copied = cut
    }
    from = end + 2
  }
  return copied === 0 ? lines : folded + lines.slice(copied)
}

const BEYOND_ASCII = /[^\x00-\x7f]/

/** The index of the next cut, or any index past the end of the line. */
const cutInLetters = (_lines: string, from: number, _end: number, octets: number): number =>
  from + OCTETS_MAX - octets

function cutInOctets(lines: string, from: number, end: number, begun: number): number {
  // A UTF-16 unit is at most three octets.
  if ((end - from) * 3 + begun <= OCTETS_MAX) return end
  let octets = begun
  for (let index = from; index < end; index += 1) {
    const unit = lines.charCodeAt(index)
    const isPair = unit >= 0xd800 && unit < 0xdc00
    octets += unit < 0x80 ? 1 : unit < 0x800 ? 2 : isPair ? 4 : 3
    if (octets > OCTETS_MAX) return index
    if (isPair) index += 1
  }
  return end
}
