/*
 * The mask of a symbol, by the rules of ISO/IEC 18004: of eight patterns the one that leaves the fewest shapes that could mislead a
 * camera. A thousand symbols of a sheet have eight thousand patterns to weigh, so whole words of modules are weighed at once: module
 * by module it would be most of the work of a sheet.
 */

/** Modules from the start of one word to that of the next. The other ten overlap: each shape is whole in the word where it starts. */
const STRIDE = 22

const RUN = 3
const BLOCK = 3
const FINDER = 40
const BALANCE = 10

const wordsFor = (size: number) => Math.ceil(size / STRIDE)

/** A symbol's rows, and then its columns, as words of modules. */
export function packed(cells: Uint8Array, size: number): Int32Array {
  const words = wordsFor(size)
  const lines = new Int32Array(2 * size * words)
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      if (cells[y * size + x] === 0) continue
      setModule(lines, y * words, x)
      setModule(lines, (size + x) * words, y)
    }
  return lines
}

function setModule(lines: Int32Array, line: number, at: number) {
  const word = Math.floor(at / STRIDE)
  const bit = at - word * STRIDE
  lines[line + word] = (lines[line + word] as number) | (1 << bit)
  if (word > 0 && bit < 32 - STRIDE)
    lines[line + word - 1] = (lines[line + word - 1] as number) | (1 << (bit + STRIDE))
}

/** Bits of a word at which a shape of some modules can start. */
function startsOf(size: number, word: number, length: number): number {
  const count = Math.max(0, Math.min(STRIDE, size - length + 1 - word * STRIDE))
  return (1 << count) - 1
}

/** Points against a symbol under a mask, which both are packed. */
export function penaltyOf(symbol: Int32Array, mask: Int32Array, size: number): number {
  const words = wordsFor(size)
  let [runs, longer, finders, blocks, dark] = [0, 0, 0, 0, 0]
  for (let word = 0; word < words; word += 1) {
    const [one, two, five] = [startsOf(size, word, 1), startsOf(size, word, 2), startsOf(size, word, 5)]
    const [six, eleven] = [startsOf(size, word, 6), startsOf(size, word, 11)]
    let [above, sameAbove] = [0, 0]
    for (let line = 0; line < 2 * size; line += 1) {
      const at = line * words + word
      const modules = (symbol[at] as number) ^ (mask[at] as number)
      const light = ~modules
      const same = ~(modules ^ (modules >>> 1))
      const four = same & (same >>> 1) & (same >>> 2) & (same >>> 3)
      runs += ones(four & five)
      longer += ones(four & (same >>> 4) & six)
      // Dark and light as 1:1:3:1:1, which is a finder pattern, with four light modules on either side.
      const core =
        modules &
        (light >>> 1) &
        (modules >>> 2) &
        (modules >>> 3) &
        (modules >>> 4) &
        (light >>> 5) &
        (modules >>> 6)
      const quiet = light & (light >>> 1) & (light >>> 2) & (light >>> 3)
      finders += ones(core & (quiet >>> 7) & eleven) + ones(quiet & (core >>> 4) & eleven)
      if (line >= size) continue
      dark += ones(modules & one)
      if (line > 0) blocks += ones(same & sameAbove & ~(modules ^ above) & two)
      above = modules
      sameAbove = same
    }
  }
  // A run of five counts three points and each further module one: by windows of five and of six modules.
  const balance = Math.abs(Math.ceil((dark * 100) / (size * size) / 5) - 10)
  return RUN * runs - (RUN - 1) * longer + FINDER * finders + BLOCK * blocks + BALANCE * balance
}

function ones(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
