import QRCode, { type QRCodeMaskPattern, type QRCodeSegment } from 'qrcode'
import { packed, penaltyOf } from './mask'

/** How much of a symbol may be lost: 15 % (M), or 25 % (Q) for what wears in a pocket or on a door. */
export type ErrorCorrection = 'M' | 'Q'

/** A QR symbol as a square of modules, without its quiet zone. */
export type QrSymbol = {
  size: number
  /** Row by row; dark ones are 1. */
  modules: Uint8Array
  isDark(x: number, y: number): boolean
}

/** Modules that stay white on every side: without them phones do not find the symbol. */
export const QUIET_ZONE = 4

const MASKS: QRCodeMaskPattern[] = [0, 1, 2, 3, 4, 5, 6, 7]

/** What alphanumeric mode can say: it makes the symbol of an upper-case address a size smaller than bytes would. */
const ALPHANUMERIC = /^[0-9A-Z $%*+./:-]+$/

type Content = string | QRCodeSegment[]

export function symbolOf(text: string, errorCorrection: ErrorCorrection): QrSymbol {
  // Said outright: the search for the best mix of modes takes as long as all the rest, and finds this one.
  const content: Content = ALPHANUMERIC.test(text) ? [{ data: text, mode: 'alphanumeric' }] : text
  const { size, data } = masked(content, errorCorrection, 0)
  const words = packed(data, size)
  let best: Uint8Array = data
  let least = Number.MAX_SAFE_INTEGER
  for (const mask of masksFor(content, errorCorrection, size)) {
    const points = penaltyOf(words, mask.words, size)
    if (points < least) [best, least] = [mask.data, points]
  }
  const modules = data.map((module, at) => module ^ (best[at] as number))
  return { size, modules, isDark: (x, y) => modules[y * size + x] === 1 }
}

type Mask = { data: Uint8Array; words: Int32Array }

const masks = new Map<string, Mask[]>()

/** What turns a symbol under the first mask into the same under each other: the same for all symbols of a size. */
function masksFor(content: Content, errorCorrection: ErrorCorrection, size: number): Mask[] {
  const key = `${size}${errorCorrection}`
  const known = masks.get(key)
  if (known) return known
  const first = masked(content, errorCorrection, 0).data
  const found = MASKS.map((mask) => {
    const data = masked(content, errorCorrection, mask).data.map(
      (module, at) => module ^ (first[at] as number),
    )
    return { data, words: packed(data, size) }
  })
  masks.set(key, found)
  return found
}

function masked(content: Content, errorCorrection: ErrorCorrection, maskPattern: QRCodeMaskPattern) {
  const { size, data } = QRCode.create(content, {
    errorCorrectionLevel: errorCorrection,
    maskPattern,
  }).modules
  return { size, data: new Uint8Array(data) }
}
