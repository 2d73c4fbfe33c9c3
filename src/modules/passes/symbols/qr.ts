import QRCode from 'qrcode'

/** How much of a symbol may be lost: 15 % (M), or 25 % (Q) for what wears in a pocket or on a door. */
export type ErrorCorrection = 'M' | 'Q'

/** A QR symbol as a square of modules, without its quiet zone. */
export type QrSymbol = { size: number; isDark(x: number, y: number): boolean }

/** Modules that stay white on every side: without them phones do not find the symbol. */
export const QUIET_ZONE = 4

/** Upper-case addresses are in alphanumeric mode by themselves, which makes the symbol a size smaller than bytes would. */
export function symbolOf(text: string, errorCorrection: ErrorCorrection): QrSymbol {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: errorCorrection })
  const { size, data } = modules
  return { size, isDark: (x, y) => data[y * size + x] === 1 }
}
