import type { Grid } from './papers'
import type { Canvas } from './pdf/canvas'
import { MM } from './pdf/document'

const AWAY = 0.5
const LONG = 3.5

/** Only at the page edges: marks between labels would end up on them. */
export function drawCropMarks(
  canvas: Canvas,
  { columns, rows, label, left, top, pitchX, pitchY, cut }: Grid,
) {
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
