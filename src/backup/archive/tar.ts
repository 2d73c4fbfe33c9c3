/** A tar of plain files (POSIX ustar); headers depend on name, size and time only. */
const BLOCK = 512
const NAME_MAX = 100
const SIZE_MAX = 8 ** 11 - 1
export const HEADER_BYTES = BLOCK

/** Two empty blocks end a tar. */
export const END = new Uint8Array(2 * BLOCK)

export const paddingOf = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK

export type Header = { name: string; size: number; seconds: number }

export function headerOf({ name, size, seconds }: Header): Buffer {
  if (Buffer.byteLength(name) > NAME_MAX || size > SIZE_MAX)
    throw new Error('A tar cannot hold this name or size')
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, length: number) =>
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at)
  block.write(name, 0)
  octal(0o600, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(seconds, 136, 12)
  block.write('        0', 148)
  block.write('ustar\x0000', 257)
  block.write(`${octalSum(block)}\0 `, 148)
  return block
}

const octalSum = (block: Uint8Array) =>
  block
    .reduce((sum, byte) => sum + byte, 0)
    .toString(8)
    .padStart(6, '0')

/** Undefined unless the bytes equal those of `headerOf`. */
export function readHeader(block: Buffer): Header | undefined {
  const text = (at: number, length: number) => block.toString('utf8', at, at + length).replace(/\0.*$/s, '')
  const header = {
    name: text(0, NAME_MAX),
    size: Number.parseInt(text(124, 12), 8),
    seconds: Number.parseInt(text(136, 12), 8),
  }
  if (header.name === '' || Number.isNaN(header.size) || Number.isNaN(header.seconds)) return undefined
  try {
    return headerOf(header).equals(block) ? header : undefined
  } catch {
    return undefined
  }
}
