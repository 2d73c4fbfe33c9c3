const OCTETS_MAX = 75

/**
 * Folds content lines at 75 octets, between characters (RFC 5545, 3.1). The library's own goes from one character to the next
 * and took most of the time of a feed; this one looks only at lines that are too long, and cuts them in slices.
 */
export function fold(lines: string): string {
  let folded = ''
  let from = 0
  while (from < lines.length) {
    const end = lines.indexOf('\r\n', from)
    const next = end < 0 ? lines.length : end + 2
    // A UTF-16 unit is at most three octets.
    folded += (next - from) * 3 <= OCTETS_MAX ? lines.slice(from, next) : foldLine(lines, from, next)
    from = next
  }
  return folded
}

function foldLine(lines: string, from: number, next: number): string {
  let folded = ''
  let cut = from
  let octets = 0
  for (let index = from; index < next; index += 1) {
    const unit = lines.charCodeAt(index)
    if (unit === CR) break
    const isPair = unit >= 0xd800 && unit < 0xdc00
    const size = unit < 0x80 ? 1 : unit < 0x800 ? 2 : isPair ? 4 : 3
    if (octets + size > OCTETS_MAX) {
      folded += `${lines.slice(cut, index)}\r\n `
      cut = index
      octets = 1
    }
    octets += size
    if (isPair) index += 1
  }
  return folded + lines.slice(cut, next)
}

const CR = 0x0d
