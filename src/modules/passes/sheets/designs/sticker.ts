import type { SheetCell } from '../order'
import { drawBadge } from './badge'
import { drawCodedSymbol, type Label, mm, type Tools } from './label'

/** Symbol and code; wide labels also show the title. Stickers wear, so they get more redundancy. */
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
