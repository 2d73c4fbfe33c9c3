import { DAMAGED, Refusal } from '../refusal'
import type { Header } from './header'

/** PNG: the first chunk is IHDR. Frames of an animated PNG are chunks of their own, which decoders here pass over. */
export function pngHeader(bytes: DataView): Header {
  if (bytes.byteLength < 33 || bytes.getUint32(8) !== 13 || bytes.getUint32(12) !== 0x49484452)
    throw new Refusal(DAMAGED)
  return { width: bytes.getUint32(16), height: bytes.getUint32(20), frames: 1 }
}
