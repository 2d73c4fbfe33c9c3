import { riffChunks } from '../headers/webp'

const NEEDED = ['VP8X', 'VP8 ', 'VP8L', 'ALPH']
/** Flags of VP8X that announce a colour profile, EXIF and XMP. */
const METADATA = 0x20 | 0x08 | 0x04

/** Overwrites metadata and whatever follows the picture with zeros, in place. */
export function blankWebp(file: Uint8Array, bytes: DataView) {
  const end = 8 + bytes.getUint32(4, true)
  for (const { name, at, length } of riffChunks(bytes, 12, end)) {
    if (name === 'VP8X') bytes.setUint8(at, bytes.getUint8(at) & ~METADATA)
    if (NEEDED.includes(name)) continue
    // Decoders pass over a chunk whose name they do not know.
    bytes.setUint32(at - 8, 0x4a554e4b)
    file.fill(0, at, at + length)
  }
  file.fill(0, end)
}
