import QRCode, { type QRCodeMaskPattern, type QRCodeSegment } from 'qrcode'
import { penaltyOf } from './mask'

/** How much of a symbol may be lost: 15 % (M), or 25 % (Q) for what wears in a pocket or on a door. */
export type ErrorCorrection = 'M' | 'Q'

/** A QR symbol as a square of modules, without its quiet zone. */
export type QrSymbol = { size: number; isDark(x: number, y: number): boolean }

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
  let best = data
  let spare = new Uint8Array(data.length)
  let least = Number.MAX_SAFE_INTEGER
  for (const overlay of overlaysFor(content, errorCorrection, size)) {
    const candidate = spare
    for (let at = 0; at < data.length; at += 1) candidate[at] = (data[at] as number) ^ (overlay[at] as number)
    const points = penaltyOf(candidate, size, least)
    if (points >= least) continue
    spare = best === data ? new Uint8Array(data.length) : best
    best = candidate
    least = points
  }
  return { size, isDark: (x, y) => best[y * size + x] === 1 }
}

const overlays = new Map<string, Uint8Array[]>()

/** What turns a symbol under the first mask into the same under each other: the same for all symbols of a size. */
function overlaysFor(content: Content, errorCorrection: ErrorCorrection, size: number): Uint8Array[] {
  const key = `${size}${errorCorrection}`
  const known = overlays.get(key)
  if (known) return known
  const [first, ...others] = MASKS.map((mask) => masked(content, errorCorrection, mask).data)
  const found = [first as Uint8Array, ...others].map((data) =>
    data.map((module, at) => module ^ (first?.[at] ?? 0)),
  )
  overlays.set(key, found)
  return found
}

function masked(content: Content, errorCorrection: ErrorCorrection, maskPattern: QRCodeMaskPattern) {
  const { size, data } = QRCode.create(content, {
    errorCorrectionLevel: errorCorrection,
    maskPattern,
  }).modules
  return { size, data: Uint8Array.from(data) }
}
