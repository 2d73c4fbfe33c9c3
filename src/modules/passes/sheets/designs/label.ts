import { type ErrorCorrection, QUIET_ZONE, symbolOf } from '../../symbols/qr'
import type { SheetCell, SheetOrder } from '../order'
import type { Box, Canvas } from '../pdf/canvas'
import { MM } from '../pdf/document'
import type { Typesetter } from '../typesetter'

export type Tools = { canvas: Canvas; typesetter: Typesetter; order: SheetOrder }

/** In points, with the bleed beyond its edges. */
export type Label = Box & { bleed: number }

export const mm = (millimetres: number) => millimetres * MM

/** Smaller modules are unreadable for phone cameras at arm's length. */
const SMALLEST_MODULE = 0.4 * MM

/**
 * Draws a symbol into a square that includes its quiet zone. Items that wear get more redundancy, unless that makes the modules too
 * small.
 */
export function drawSymbol(canvas: Canvas, url: string, x: number, y: number, width: number, wears: boolean) {
  const symbolFor = (errorCorrection: ErrorCorrection) => {
    const symbol = symbolOf(url, errorCorrection)
    return { symbol, module: width / (symbol.size + 2 * QUIET_ZONE) }
  }
  const robust = wears ? symbolFor('Q') : undefined
  const { symbol, module } = robust && robust.module >= SMALLEST_MODULE ? robust : symbolFor('M')
  const quiet = QUIET_ZONE * module
  canvas.symbol(symbol, x + quiet, y + quiet, symbol.size * module)
}

/** The code below is for typing when the camera fails. */
export function drawCodedSymbol(
  { canvas, typesetter }: Tools,
  { url, code }: SheetCell,
  { x, y, width, height }: Box,
  wears: boolean,
) {
  const side = Math.min(width, height - mm(3))
  drawSymbol(canvas, url, x + (width - side) / 2, y, side, wears)
  // The quiet zone is white, so the code may start right after the symbol.
  const box = { x: x + mm(1.5), y: y + side, width: width - mm(3), height: height - side }
  const block = typesetter.set(code, 'bold', {
    ...{ width: box.width, height: box.height, largest: 9 },
    ...{ single: 4.5, whole: 4 },
  })
  canvas.text(block, box, 'black', { across: 'center', down: 'top' })
}
