import QRCode from 'qrcode'

/** Recoverable loss: 15 % (M), or 25 % (Q) for items that wear. */
export type ErrorCorrection = 'M' | 'Q'

/** Without the quiet zone. */
export type QrSymbol = {
  size: number
  /** Row-major; 1 is dark. */
  modules: Uint8Array
  isDark(x: number, y: number): boolean
}

/** White modules on every side, without which phones do not find the symbol. */
export const QUIET_ZONE = 4

/** Alphanumeric mode makes the symbol of an upper-case URL one version smaller than byte mode. */
const ALPHANUMERIC = /^[0-9A-Z $%*+./:-]+$/

export function symbolOf(text: string, errorCorrection: ErrorCorrection): QrSymbol {
  // The library would also find this mode, but its search doubles the time.
  const content = ALPHANUMERIC.test(text) ? [{ data: text, mode: 'alphanumeric' as const }] : text
  const { size, data } = QRCode.create(content, { errorCorrectionLevel: errorCorrection }).modules
  const modules = new Uint8Array(data)
  return { size, modules, isDark: (x, y) => modules[y * size + x] === 1 }
}
