import { DAMAGED, Refusal } from '../refusal'

/** Critical chunks, and those that affect color and resolution. */
const NEEDED = 'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB sBIT bKGD pHYs cICP'.split(' ')
/** Ancillary, private, safe to copy: decoders skip it. */
const NOTHING = [...'zzZz'].map((letter) => letter.charCodeAt(0))

/** Zeroes all other chunks and trailing bytes in place. */
export function blankPng(file: Uint8Array, bytes: DataView) {
  for (let at = 8; ; ) {
    if (at + 12 > file.length) throw new Refusal(DAMAGED)
    const length = bytes.getUint32(at)
    const end = at + 12 + length
    if (end > file.length) throw new Refusal(DAMAGED)
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8))
    if (!NEEDED.includes(type)) {
      file.set(NOTHING, at + 4)
      file.fill(0, at + 8, end - 4)
      bytes.setUint32(end - 4, Bun.hash.crc32(file.subarray(at + 4, end - 4)))
    }
    if (type === 'IEND') return void file.fill(0, end)
    at = end
  }
}
