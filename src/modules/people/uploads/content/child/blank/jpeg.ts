import { jpegSegments } from '../headers/jpeg'

const COMMENT = 0xfe
/** JFIF resolution and Adobe color transform: without them colors change. */
const NEEDED = [0xe0, 0xee]
const isApplication = (marker: number) => marker >= 0xe0 && marker <= 0xef

/** Zeroes metadata and trailing bytes in place. */
export function blankJpeg(file: Uint8Array, bytes: DataView) {
  let end = 0
  for (const { marker, at, length } of jpegSegments(bytes)) {
    if (marker === COMMENT || (isApplication(marker) && !NEEDED.includes(marker)))
      file.fill(0, at, at + length)
    end = at
  }
  file.fill(0, end)
}
