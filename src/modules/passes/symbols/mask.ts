/*
 * The mask of a symbol, by the rules of ISO/IEC 18004: of eight patterns the one that leaves the fewest shapes that could mislead a
 * camera. It is most of the work of a symbol, and a sheet has a thousand of them.
 */

const RUN = 3
const BLOCK = 3
const FINDER = 40
const BALANCE = 10

/** Eleven modules that look like a finder pattern beside a quiet zone, from either side. */
const FINDERS = [0b10111010000, 0b00001011101] as const
const ELEVEN = 0b11111111111

/** Points against a symbol, or `limit` as soon as there are as many. */
export function penaltyOf(cells: Uint8Array, size: number, limit: number): number {
  let points = balance(cells)
  for (let line = 0; line < size && points < limit; line += 1) {
    points += alongLine(cells, line * size, 1, size)
    points += alongLine(cells, line, size, size)
    if (line > 0) points += blocksAbove(cells, line * size, size)
  }
  return Math.min(points, limit)
}

/** Runs of one colour, and what looks like a finder pattern, along a row or a column. */
function alongLine(cells: Uint8Array, start: number, step: number, size: number): number {
  let points = 0
  let last = -1
  let run = 0
  let bits = 0
  for (let index = 0, at = start; index < size; index += 1, at += step) {
    const cell = cells[at] as number
    if (cell === last) run += 1
    else {
      last = cell
      run = 1
    }
    // The fifth module of a run counts three, every further one a point.
    if (run >= 5) points += run === 5 ? RUN : 1
    bits = ((bits << 1) & ELEVEN) | cell
    if (index >= 10 && (bits === FINDERS[0] || bits === FINDERS[1])) points += FINDER
  }
  return points
}

/** Squares of four modules of one colour, between a row and the one above. */
function blocksAbove(cells: Uint8Array, start: number, size: number): number {
  let points = 0
  for (let at = start + 1; at < start + size; at += 1) {
    const cell = cells[at]
    if (cell === cells[at - 1] && cell === cells[at - size] && cell === cells[at - size - 1]) points += BLOCK
  }
  return points
}

function balance(cells: Uint8Array): number {
  let dark = 0
  for (let at = 0; at < cells.length; at += 1) dark += cells[at] as number
  return Math.abs(Math.ceil((dark * 100) / cells.length / 5) - 10) * BALANCE
}
