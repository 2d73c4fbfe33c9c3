import QRCode from 'qrcode'

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

/** Alphanumeric mode makes the symbol of an upper-case address a size smaller than bytes would. */
const ALPHANUMERIC = /^[0-9A-Z $%*+./:-]+$/

export function symbolOf(text: string, errorCorrection: ErrorCorrection): QrSymbol {
  // The library finds this mode, too, but searching for the best mix of modes doubles its time.
  const content = ALPHANUMERIC.test(text) ? [{ data: text, mode: 'alphanumeric' as const }] : text
  const { size, data } = QRCode.create(content, { errorCorrectionLevel: errorCorrection }).modules
  const modules = new Uint8Array(data)
  return { size, modules, isDark: (x, y) => modules[y * size + x] === 1 }
}
