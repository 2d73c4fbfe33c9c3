import type { SheetCell } from '../order'
import { drawCodedSymbol, type Label, mm, type Tools } from './label'

const LARGEST_SYMBOL = mm(31)
const CODE = mm(4)

/** Name on the left, legible from two meters; symbol on the right. */
export function drawBadge(tools: Tools, cell: SheetCell, label: Label, { wears }: { wears: boolean }) {
  const { canvas, typesetter, order } = tools
  const { x, y, width, height, bleed } = label
  const edge = height > mm(45) ? mm(4) : mm(2.5)
  const band = height > mm(45) ? height * 0.17 : height * 0.15
  const hasBand = bleed > 0
  if (hasBand)
    canvas.fill({ x: x - bleed, y: y - bleed, width: width + 2 * bleed, height: band + bleed }, 'green')
  const title = { x: x + edge, y: y + (hasBand ? 0 : mm(1)), width: width - 2 * edge, height: band }
  canvas.text(
    typesetter.setOnce(order.title, 'bold', {
      ...{ width: title.width, height: band - mm(3), largest: hasBand ? 13 : 10 },
      ...{ single: 8, whole: 5 },
    }),
    title,
    hasBand ? 'white' : 'green',
    { across: 'start', down: 'middle' },
  )

  const below = y + band + mm(1)
  const available = y + height - below - mm(1)
  const side = Math.min(LARGEST_SYMBOL, available - CODE)
  const right = x + width - side - mm(1)
  drawCodedSymbol(
    tools,
    cell,
    { x: right, y: below + (available - side - CODE) / 2, width: side, height: side + CODE },
    wears,
  )

  const texts = [cell.line, order.subtitle].filter((text) => text != null && text !== '') as string[]
  const foot = mm(height > mm(45) ? 10 : 6)
  const left = { x: x + edge, width: right - x - edge - mm(0.5) }
  const name = { ...left, y: below + mm(1.5), height: available - foot - mm(4) }
  const largest = height > mm(45) ? 36 : 24
  canvas.text(
    typesetter.set(
      cell.name ?? order.siteName,
      'bold',
      {
        ...{ width: name.width, height: name.height, largest },
        ...{ single: largest * 0.8, whole: 9 },
      },
      cell.fallback ?? order.siteName,
    ),
    name,
    'black',
    { across: 'start', down: 'middle' },
  )
  for (const [index, text] of texts.entries()) {
    const line = {
      ...left,
      y: below + available - foot + (index * foot) / texts.length,
      height: foot / texts.length,
    }
    const place = { width: line.width, height: line.height - mm(0.8), largest: 9, single: 6, whole: 4 }
    const down = texts.length > 1 ? 'top' : 'middle'
    canvas.text(typesetter.setOnce(text, 'regular', place), line, 'grey', { across: 'start', down })
  }
}
