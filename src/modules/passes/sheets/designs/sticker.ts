import type { SheetCell } from '../order'
import { drawBadge } from './badge'
import { drawCodedSymbol, type Label, mm, type Tools } from './label'

/** A sticker: the symbol and its code; on a wide label also what it belongs to. Stickers wear, so their symbols can lose more. */
export function drawSticker(tools: Tools, cell: SheetCell, label: Label) {
  const { x, y, width, height } = label
  if (width > height * 1.3) return drawBadge(tools, cell, label, { wears: true })
  const edge = mm(2)
  drawCodedSymbol(
    tools,
    cell,
    { x: x + edge, y: y + edge / 2, width: width - 2 * edge, height: height - 1.5 * edge },
    true,
  )
}
