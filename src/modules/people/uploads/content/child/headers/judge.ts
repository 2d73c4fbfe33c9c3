import type { PictureType } from '../../content-types'
import { DAMAGED, Refusal } from '../refusal'
import type { Header } from './header'
import { jpegHeader } from './jpeg'
import { webpHeader } from './webp'

const SIDE_AT_MOST = 16_383
const FRAMES_AT_MOST = 500
/** All frames of an animation together: they are decoded at once. */
export const PIXELS_AT_MOST = 50_000_000

/** Refuses images that are too expensive to decode, by their header alone. */
export function judgeHeader(file: Uint8Array, type: PictureType): Header {
  const header = readHeader(new DataView(file.buffer, file.byteOffset, file.byteLength), type)
  const { width, height, frames } = header
  if (width === 0 || height === 0 || frames === 0) throw new Refusal(DAMAGED)
  if (frames > FRAMES_AT_MOST) throw new Refusal('The animation has more than 500 frames.')
  if (width > SIDE_AT_MOST || height > SIDE_AT_MOST)
    throw new Refusal('The picture is more than 16,383 pixels wide or high.')
  if (width * height * frames > PIXELS_AT_MOST)
    throw new Refusal('The picture has more than 50 million pixels, all frames counted together.')
  return header
}

function readHeader(bytes: DataView, type: PictureType): Header {
  if (type === 'image/jpeg') return jpegHeader(bytes)
  if (type === 'image/png') return pngHeader(bytes)
  if (type === 'image/gif') return gifHeader(bytes, FRAMES_AT_MOST)
  return webpHeader(bytes)
}

const paletteBytes = (flags: number) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

/** Walks all blocks without decoding. The canvas covers the screen and every frame. */
function gifHeader(bytes: DataView, framesAtMost: number): Header {
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

/** IHDR is the first chunk. Decoders here ignore the frames of an animated PNG. */
function pngHeader(bytes: DataView): Header {
  if (bytes.byteLength < 33 || bytes.getUint32(8) !== 13 || bytes.getUint32(12) !== 0x49484452)
    throw new Refusal(DAMAGED)
  return { width: bytes.getUint32(16), height: bytes.getUint32(20), frames: 1 }
}
