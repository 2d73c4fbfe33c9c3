import { DAMAGED, Refusal } from '../refusal'
import type { Header } from './header'

/** Markers of a frame header: SOF0 to SOF15 but for the three of that range that are tables. */
const isFrameHeader = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const hasNoLength = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/** JPEG: segments up to the frame header. */
export function jpegHeader(bytes: DataView): Header {
  for (let at = 2; at + 9 < bytes.byteLength; ) {
    if (bytes.getUint8(at) !== 0xff) throw new Refusal(DAMAGED)
    const marker = bytes.getUint8(at + 1)
    if (isFrameHeader(marker))
      return { width: bytes.getUint16(at + 7), height: bytes.getUint16(at + 5), frames: 1 }
    if (marker === 0xff) at += 1
    else if (hasNoLength(marker)) at += 2
    else at += 2 + Math.max(2, bytes.getUint16(at + 2))
  }
  throw new Refusal(DAMAGED)
}
