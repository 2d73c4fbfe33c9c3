import { type ErrorCorrection, QUIET_ZONE, symbolOf } from '../../symbols/qr'
import type { SheetCell, SheetOrder } from '../order'
import type { Box, Canvas } from '../pdf/canvas'
import { MM } from '../pdf/document'
import type { Typesetter } from '../typesetter'

/** What a design draws with. */
export type Tools = { canvas: Canvas; typesetter: Typesetter; order: SheetOrder }

/** A label to draw on, in points, and how far colour reaches over its edges. */
export type Label = Box & { bleed: number }

export const mm = (millimetres: number) => millimetres * MM

/** Below this a phone's camera at arm's length loses modules. */
const SMALLEST_MODULE = 0.4 * MM

/**
 * Draws a symbol into a square that includes its quiet zone. What wears is drawn with more redundancy, as long as its modules are not
 * too small for that.
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

/** A symbol with its code below, which is for people whose camera fails. */
export function drawCodedSymbol(
  { canvas, typesetter }: Tools,
  { url, code }: SheetCell,
  { x, y, width, height }: Box,
  wears: boolean,
) {
  const side = Math.min(width, height - mm(3))
  drawSymbol(canvas, url, x + (width - side) / 2, y, side, wears)
  // The quiet zone is white already; the code may begin where it ends.
  const room = { x: x + mm(1.5), y: y + side, width: width - mm(3), height: height - side }
  const block = typesetter.set(code, 'bold', {
    ...{ width: room.width, height: room.height, largest: 9 },
    ...{ single: 4.5, whole: 4 },
  })
  canvas.text(block, room, 'black', { across: 'center', down: 'top' })
}
