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
