import { DAMAGED, Refusal } from './refusal'

const paletteBytes = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

/**
 * Counts the frames of a GIF up to `most`, without decoding. libvips takes a GIF that was cut for a shorter animation, and needs 11
 * seconds to count 650,000 frames.
 */
export function countFrames(file: Uint8Array, most: number): number {
  const byte = (at: number) => file[at] ?? refuse()
  const afterBlocks = (from: number) => {
    let at = from
    while (byte(at) !== 0) at += 1 + byte(at)
    return at + 1
  }
  let frames = 0
  let at = 13 + paletteBytes(byte(10))
  while (byte(at) !== 0x3b && frames <= most) {
    if (byte(at) === 0x21) at = afterBlocks(at + 2)
    else if (byte(at) === 0x2c) {
      frames += 1
      at = afterBlocks(at + 11 + paletteBytes(byte(at + 9)))
    } else refuse()
  }
  return frames
}

function refuse(): never {
  throw new Refusal(DAMAGED)
}
