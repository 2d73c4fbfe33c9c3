import { riffChunks } from '../headers/webp'

const NEEDED = ['VP8X', 'VP8 ', 'VP8L', 'ALPH']
/** VP8X flags for ICC profile, EXIF and XMP. */
const METADATA = 0x20 | 0x08 | 0x04

/** Zeroes metadata and trailing bytes in place. */
export function blankWebp(file: Uint8Array, bytes: DataView) {
  const end = 8 + bytes.getUint32(4, true)
  for (const { name, at, length } of riffChunks(bytes, 12, end)) {
    if (name === 'VP8X') bytes.setUint8(at, bytes.getUint8(at) & ~METADATA)
    if (NEEDED.includes(name)) continue
    // Decoders skip unknown chunks.
    bytes.setUint32(at - 8, 0x4a554e4b)
    file.fill(0, at, at + length)
  }
  file.fill(0, end)
}
