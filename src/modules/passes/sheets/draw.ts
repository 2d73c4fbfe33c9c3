import { inTurns } from '@/core/in-turns'
import { drawBadge } from './designs/badge'
import { drawCodedSymbol, type Label, mm, type Tools } from './designs/label'
import { drawPoster } from './designs/poster'
import type { Weight } from './fonts/families'
import { openLibrary } from './fonts/library'
import type { Sheet, SheetCell, SheetOrder } from './order'
import { type Grid, gridOf } from './papers'
import { Canvas } from './pdf/canvas'
import { decimal, MM, PdfDocument, pdfText, type Reference } from './pdf/document'
import { UsedFonts } from './pdf/fonts'
import { printable } from './text/printable'
import { Typesetter } from './typesetter'

/** Symbol and code; wide labels also show the title. Stickers wear, so they get more redundancy. */
function drawSticker(tools: Tools, cell: SheetCell, label: Label) {
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

const AWAY = 0.5
const LONG = 3.5

/** Only at the page edges: marks between labels would end up on them. */
function drawCropMarks(canvas: Canvas, { columns, rows, label, left, top, pitchX, pitchY, cut }: Grid) {
  if (!cut) return
  const edges = (count: number, start: number, pitch: number, size: number) => [
    ...new Set(
      Array.from({ length: count }, (_, index) => start + index * pitch).flatMap((edge) => [
        edge,
        edge + size,
      ]),
    ),
  ]
  const columnEdges = edges(columns, left, pitchX, label.width)
  const rowEdges = edges(rows, top, pitchY, label.height)
  const [right, bottom] = [columnEdges.at(-1) as number, rowEdges.at(-1) as number]
  const near = Math.max(cut.bleed, 1) + AWAY
  const far = near + LONG
  const mark = (...[fromX, fromY, toX, toY]: [number, number, number, number]) =>
    canvas.mark(fromX * MM, fromY * MM, toX * MM, toY * MM)
  for (const x of columnEdges) {
    mark(x, top - far, x, top - near)
    mark(x, bottom + near, x, bottom + far)
  }
  for (const y of rowEdges) {
    mark(left - far, y, left - near, y)
    mark(right + near, y, right + far, y)
  }
}

/** Labels between progress reports. */
const STEP = 50

const DESIGNS: Record<SheetOrder['kind'], (tools: Tools, cell: SheetCell, label: Label) => void> = {
  badges: (tools, cell, label) => drawBadge(tools, cell, label, { wears: false }),
  stickers: drawSticker,
  'checkin-poster': drawPoster,
}

/** Fixed texts of the designs, so that their glyphs are in the fonts. */
const OWN_WORDS = 'Check in here \ufffd…'

export async function drawSheet(
  order: SheetOrder,
  progress: (done: number, total: number) => Promise<void>,
): Promise<Sheet> {
  const { cells } = order
  const typesetter = new Typesetter(await openLibrary(textsOf(order)))
  const fonts = new UsedFonts()
  const pdf = new PdfDocument()
  const grid = gridOf(order.kind, order.paper)
  const perPage = grid.columns * grid.rows
  const skipped = (order.startAt - 1) % perPage
  const [tree, resources] = [pdf.reserve(), pdf.reserve()]
  const pages: Reference[] = []
  const blank = new Canvas(grid.page.height * MM, fonts)
  drawCropMarks(blank, grid)
  let done = 0
  let canvas: Canvas | undefined
  const endPage = () => {
    if (canvas) pages.push(addPage(pdf, grid, canvas.content, tree, resources))
    canvas = undefined
  }
  for (const step of inSteps(cells)) {
    await inTurns(step, (cell) => {
      canvas ??= blank.copy()
      const place = (done + skipped) % perPage
      DESIGNS[order.kind]({ canvas, typesetter, order }, cell, labelAt(grid, place))
      done += 1
      if (place === perPage - 1) endPage()
    })
    await progress(done, cells.length)
  }
  // A PDF needs at least one page.
  if (pages.length === 0) canvas ??= blank
  endPage()
  const entries = await fonts.embed(pdf, async () => void (await inTurns([], () => undefined)))
  pdf.add(`<</Font<<${entries}>>/ProcSet[/PDF/Text]>>`, resources)
  pdf.add(`<</Type/Pages/Count ${pages.length}/Kids[${pages.join(' ')}]>>`, tree)
  const title = printable(order.title)
  const info = pdf.add(`<</Title${pdfText(title)}/Producer(Folkmoot)>>`)
  const root = pdf.add(
    `<</Type/Catalog/Pages ${tree}/ViewerPreferences<</PrintScaling/None/DisplayDocTitle true>>>>`,
  )
  return { bytes: pdf.finish(root, info), pages: pages.length, missing: typesetter.missing }
}

/** Texts by weight; only posters print URLs. */
function* textsOf({
  kind,
  title,
  subtitle,
  siteName,
  cells,
}: SheetOrder): Iterable<readonly [string, Weight]> {
  for (const text of [OWN_WORDS, title, siteName]) yield [printable(text), 'bold']
  for (const text of [OWN_WORDS, subtitle ?? '']) yield [printable(text), 'regular']
  for (const { name, code, line, url } of cells) {
    if (name) yield [printable(name), 'bold']
    yield [printable(code), 'bold']
    if (line) yield [printable(line), 'regular']
    if (kind === 'checkin-poster')
      for (const text of [url, url.toLowerCase()]) yield [printable(text), 'regular']
  }
}

function* inSteps<T>(items: readonly T[]): Iterable<T[]> {
  for (let start = 0; start < items.length; start += STEP) yield items.slice(start, start + STEP)
}

function labelAt({ columns, left, top, pitchX, pitchY, label, cut }: Grid, place: number): Label {
  const [column, row] = [place % columns, Math.floor(place / columns)]
  return {
    x: mm(left + column * pitchX),
    y: mm(top + row * pitchY),
    width: mm(label.width),
    height: mm(label.height),
    bleed: mm(cut?.bleed ?? 0),
  }
}

function addPage(pdf: PdfDocument, grid: Grid, content: Uint8Array, tree: Reference, resources: Reference) {
  const stream = pdf.addStream(content)
  const { page, label, left, top, cut } = grid
  const box = (grown: number) => {
    const edges = [left - grown, top - grown, left + label.width + grown, top + label.height + grown]
    return `[${edges.map((edge) => decimal(edge * MM)).join(' ')}]`
  }
  const boxes = grid.isCropped ? `/CropBox${box(0)}/TrimBox${box(0)}/BleedBox${box(cut?.bleed ?? 0)}` : ''
  return pdf.add(
    `<</Type/Page/Parent ${tree}/MediaBox[0 0 ${decimal(page.width * MM)} ${decimal(page.height * MM)}]${boxes}/Resources ${resources}/Contents ${stream}>>`,
  )
}
