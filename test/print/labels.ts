import jsQR from 'jsqr'
import sharp from 'sharp'
import { gridOf } from '@/modules/passes/sheets/papers'
import type { SheetOrder } from '@/modules/passes/sheets/render'
import type { Picture } from './photograph'

const DOTS = 300 / 25.4

/** Cuts pages into their labels, in the order of the cells. */
export async function labelsOf(
  { kind, paper, startAt, cells }: SheetOrder,
  pages: string[],
): Promise<Picture[]> {
  const { columns, rows, left, top, pitchX, pitchY, label } = gridOf(kind, paper)
  return await Promise.all(
    cells.map(async (_, index) => {
      const at = index + startAt - 1
      const place = at % (columns * rows)
      const { data, info } = await sharp(pages[Math.floor(at / (columns * rows))])
        .extract({
          left: Math.round((left + (place % columns) * pitchX) * DOTS),
          top: Math.round((top + Math.floor(place / columns) * pitchY) * DOTS),
          width: Math.floor(label.width * DOTS),
          height: Math.floor(label.height * DOTS),
        })
        .toColourspace('b-w')
        .raw()
        .toBuffer({ resolveWithObject: true })
      return { pixels: data, width: info.width, height: info.height }
    }),
  )
}

/** Darker than the band's green is ink that somebody reads. */
const COLOUR = 70
const WHITE = 250

/** Dots that are not where they should be on a page that is cut, and whether colour reaches to the end of the first label's bleed. */
export async function inkAround({ kind, paper }: SheetOrder, path: string) {
  const { columns, rows, left, top, pitchX, pitchY, label, cut } = gridOf(kind, paper)
  const bleed = cut?.bleed ?? 0
  const { data, info } = await sharp(path).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  const onAxis = (dot: number, start: number, count: number, pitch: number, size: number) => {
    const at = dot / DOTS - start
    const place = Math.max(0, Math.min(count - 1, Math.round((at - size / 2) / (pitch || 1))))
    const from = at - place * pitch
    // A dot may be half in and half out.
    const over = Math.max(-from, from - size) - 1 / DOTS
    const isMarked = Math.min(Math.abs(from), Math.abs(from - size)) <= 2 / DOTS
    return { over, isMarked }
  }
  const across = Array.from({ length: info.width }, (_, x) =>
    onAxis(x + 0.5, left, columns, pitchX, label.width),
  )
  const down = Array.from({ length: info.height }, (_, y) => onAxis(y + 0.5, top, rows, pitchY, label.height))
  const found = { outside: 0, inBleed: 0, bleeds: false }
  for (const [y, row] of down.entries())
    for (const [x, column] of across.entries()) {
      const grey = data[y * info.width + x] as number
      if (grey > WHITE) continue
      const over = Math.max(row.over, column.over)
      const isMark = row.over > bleed ? column.isMarked : row.isMarked
      if (over > bleed) found.outside += isMark ? 0 : 1
      else if (over > 0) found.inBleed += grey < COLOUR ? 1 : 0
    }
  const [x, y] = [left - bleed, top - bleed].map((edge) => Math.ceil(edge * DOTS) + 1) as [number, number]
  found.bleeds = bleed > 0 && (data[y * info.width + x] as number) < WHITE
  return found
}

export function readByJsqr({ pixels, width, height }: Picture): string | undefined {
  const colours = new Uint8ClampedArray(pixels.length * 4)
  for (let at = 0; at < colours.length; at += 1) colours[at] = pixels[at >> 2] as number
  return jsQR(colours, width, height)?.data
}

export const save = ({ pixels, width, height }: Picture, path: string) =>
  sharp(pixels, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 1 })
    .toFile(path)
