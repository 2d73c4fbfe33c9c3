import type { SheetCell } from '../order'
import { drawBadge } from './badge'
import { drawSymbol, type Label, mm, type Tools } from './label'

const CALL = 'Check in here'

/** Title, instructions and a symbol large enough to scan over a crowd. */
export function drawPoster(tools: Tools, cell: SheetCell, label: Label) {
  const { canvas, typesetter, order } = tools
  const { x, y, width, height } = label
  if (height < mm(100)) return drawBadge(tools, { ...cell, name: CALL }, label, { wears: true })
  const edge = mm(16)
  const column = { x: x + edge, width: width - 2 * edge }
  const write = (
    text: string,
    from: number,
    tall: number,
    largest: number,
    colour: 'green' | 'black' | 'grey' | 'white',
    weight: 'bold' | 'regular' = 'bold',
  ) => {
    const box = { ...column, y: y + from, height: tall }
    const place = { width: box.width, height: tall, largest, single: largest * 0.7, whole: 10 }
    canvas.text(typesetter.set(text, weight, place), box, colour, { across: 'center', down: 'middle' })
  }
  canvas.fill({ x: column.x, y: y + edge, width: column.width, height: mm(14) }, 'green')
  write(order.siteName, edge + mm(3), mm(8), 20, 'white')
  write(order.title, edge + mm(20), mm(36), 44, 'black')
  if (order.subtitle) write(order.subtitle, edge + mm(58), mm(8), 16, 'grey', 'regular')
  write(CALL, edge + mm(72), mm(18), 54, 'green')
  const side = Math.min(column.width, height - 2 * edge - mm(92) - mm(24))
  const top = edge + mm(90)
  drawSymbol(canvas, cell.url, x + (width - side) / 2, y + top, side, true)
  write(cell.code, top + side, mm(11), 30, 'black')
  write(inWords(cell.url), top + side + mm(14), mm(8), 15, 'grey', 'regular')
}

/** Lower case for typing; upper case is only for the symbol. */
const inWords = (url: string): string => url.toLowerCase().replace(/^https?:\/\//, '')
