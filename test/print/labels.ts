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

export function readByJsqr({ pixels, width, height }: Picture): string | undefined {
  const colours = new Uint8ClampedArray(pixels.length * 4)
  for (let at = 0; at < colours.length; at += 1) colours[at] = pixels[at >> 2] as number
  return jsQR(colours, width, height)?.data
}

export const save = ({ pixels, width, height }: Picture, path: string) =>
  sharp(pixels, { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 1 })
    .toFile(path)
