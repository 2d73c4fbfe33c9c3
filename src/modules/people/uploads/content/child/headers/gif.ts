import { DAMAGED, Refusal } from '../refusal'
import type { Header } from './header'

/** Bytes of a palette, from the flags that announce it. */
const paletteBytes = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

/** GIF: all blocks to the end, without looking into them. The canvas holds the screen and every frame. */
export function gifHeader(bytes: DataView, framesAtMost: number): Header {
  const byte = (at: number) => {
    if (at >= bytes.byteLength) throw new Refusal(DAMAGED)
    return bytes.getUint8(at)
  }
  const short = (at: number) => byte(at) | (byte(at + 1) << 8)
  const afterBlocks = (at: number) => {
    let next = at
    while (byte(next) !== 0) next += 1 + byte(next)
    return next + 1
  }

  let [width, height, frames] = [short(6), short(8), 0]
  let at = 13 + paletteBytes(byte(10))
  while (byte(at) !== 0x3b) {
    if (byte(at) === 0x21) at = afterBlocks(at + 2)
    else if (byte(at) === 0x2c) {
      width = Math.max(width, short(at + 1) + short(at + 5))
      height = Math.max(height, short(at + 3) + short(at + 7))
      frames += 1
      if (frames > framesAtMost) break
      at = afterBlocks(at + 11 + paletteBytes(byte(at + 9)))
    } else throw new Refusal(DAMAGED)
  }
  return { width, height, frames }
}
