import { DAMAGED, Refusal } from '../refusal'
import type { Header } from './header'

const START_OF_SCAN = 0xda
const END_OF_IMAGE = 0xd9

/** SOF0 to SOF15, except DHT, JPG and DAC. */
const isFrameHeader = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
/** Restart markers and stuffed zeros belong to the scan. */
const isInsideScan = (marker: number) => marker === 0 || (marker >= 0xd0 && marker <= 0xd7)

export function jpegHeader(bytes: DataView): Header {
  for (const { marker, at, length } of jpegSegments(bytes))
    if (isFrameHeader(marker) && length >= 6)
      return { width: bytes.getUint16(at + 3), height: bytes.getUint16(at + 1), frames: 1 }
  throw new Refusal(DAMAGED)
}

/** Yields segments with the offset of their payload; the last is EOI. */
export function* jpegSegments(bytes: DataView) {
  const byte = (at: number) => {
    if (at >= bytes.byteLength) throw new Refusal(DAMAGED)
    return bytes.getUint8(at)
  }
  for (let at = 2; ; ) {
    if (byte(at) !== 0xff) throw new Refusal(DAMAGED)
    while (byte(at + 1) === 0xff) at += 1
    const marker = byte(at + 1)
    if (marker === END_OF_IMAGE) {
      yield { marker, at: at + 2, length: 0 }
      return
    }
    const length = ((byte(at + 2) << 8) | byte(at + 3)) - 2
    if (length < 0 || at + 4 + length > bytes.byteLength) throw new Refusal(DAMAGED)
    yield { marker, at: at + 4, length }
    at += 4 + length
    if (marker === START_OF_SCAN) while (byte(at) !== 0xff || isInsideScan(byte(at + 1))) at += 1
  }
}
