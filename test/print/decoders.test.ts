import { beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { KINDS, PAPERS } from '@/modules/passes/sheets/order'
import { labelsOn } from '@/modules/passes/sheets/papers'
import { renderSheet, type SheetOrder } from '@/modules/passes/sheets/render'
import { LONG_NAMES, NAMES, orderOf, untold } from '../modules/passes/sheets/orders'
import { labelsOf, readByJsqr, save } from './labels'
import { type Camera, type Picture, photograph } from './photograph'
import { demandPrograms, makeFolder, outputOf, pagesOf, readByZbar } from './programs'

beforeAll(demandPrograms)

const every = KINDS.flatMap((kind) => PAPERS.map((paper) => [kind, paper] as const))

async function printed<T>(order: SheetOrder, look: (pdf: string, pages: string[]) => Promise<T>): Promise<T> {
  const folder = makeFolder()
  try {
    const pdf = join(folder, 'sheet.pdf')
    const { bytes, pages } = await renderSheet(order, untold)
    await Bun.write(pdf, bytes)
    return await look(pdf, await pagesOf(pdf, pages))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What each decoder reads on each of some pictures. */
async function readByBoth(pictures: Picture[]): Promise<{ zbar: string; jsqr: string }[]> {
  const folder = makeFolder()
  try {
    const paths = pictures.map((_, index) => join(folder, `${index}.png`))
    await Promise.all(pictures.map((picture, index) => save(picture, paths[index] as string)))
    const byZbar = await readByZbar(paths)
    return pictures.map((picture, index) => ({
      zbar: byZbar[index]?.join(' ') ?? '',
      jsqr: readByJsqr(picture) ?? '',
    }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const addresses = ({ cells }: SheetOrder) => cells.map(({ url }) => url)

describe('a printed sheet', () => {
  test.each(every)('is sound, and two decoders read every symbol: %s on %s', async (kind, paper) => {
    const names = kind === 'checkin-poster' ? NAMES.slice(0, 2) : [...NAMES, ...LONG_NAMES]
    const isUsed = kind !== 'checkin-poster' && labelsOn(paper) > 1
    const order = orderOf(names, { kind, paper, startAt: isUsed ? 3 : 1 })
    await printed(order, async (pdf, pages) => {
      expect(await outputOf('qpdf', '--check', pdf)).toMatchObject({ status: 0 })
      const labels = await labelsOf(order, pages)
      expect(await readByBoth(labels)).toEqual(addresses(order).map((url) => ({ zbar: url, jsqr: url })))
    })
  })

  test('has names that can be searched and copied', async () => {
    await printed(orderOf(NAMES, { paper: 'badge-86x54', subtitle: null }), async (pdf) => {
      const { output } = await outputOf('pdftotext', '-layout', pdf, '-')
      const text = output.replace(/[\s\u202a-\u202e\u200e\u200f]/g, '').normalize('NFC')
      const lost = NAMES.filter((name) => !text.includes(name.replaceAll(' ', '').normalize('NFC')))
      // A cluster whose vowel stands before its consonant, and brackets between two directions, are told apart by eyes alone.
      expect(lost.filter((name) => !/[\p{Script=Devanagari}(]/u.test(name))).toEqual([])
    })
  })

  test.each([
    ['badges', 'avery-l7160'],
    ['stickers', 'a4'],
    ['badges', 'avery-5163'],
  ] as const)('has no ink outside of its labels, however long a name is: %s on %s', async (kind, paper) => {
    const order = orderOf([...LONG_NAMES, ...NAMES].slice(0, 10), { kind, paper })
    await printed(order, async (_, pages) => {
      for (const { pixels, width, height } of await labelsOf(order, pages)) {
        const border = [...pixels.keys()].filter((at) => {
          const [x, y] = [at % width, Math.floor(at / width)]
          return Math.min(x, y, width - 1 - x, height - 1 - y) < 6
        })
        expect(border.every((at) => pixels[at] === 255)).toBe(true)
      }
    })
  })
})

describe('fifty photographs in half the contrast, turned, tilted and blurred', () => {
  test.each([
    ['stickers', 'a4'],
    ['stickers', 'avery-l7160'],
    ['badges', 'a4'],
    ['badges', 'badge-86x54'],
  ] as const)(
    'are read: %s on %s',
    async (kind, paper) => {
      const order = orderOf(Array(50).fill('Ada Lovelace'), { kind, paper })
      const labels = await printed(order, (_, pages) => labelsOf(order, pages))
      const cameras = labels.map((_, index) => ({
        turn: (index * 37) % 360,
        tilt: 0.06 * (index % 4),
        scale: 0.5 + 0.1 * (index % 3),
        blur: 0.6 + 0.3 * (index % 5),
        contrast: 0.5,
      }))
      const pictures: Picture[] = []
      for (const [index, label] of labels.entries())
        pictures.push(await photograph(framed(label), cameras[index] as Camera))
      const read = await readByBoth(pictures)
      const missed = (decoder: 'zbar' | 'jsqr') =>
        read.flatMap((said, index) => (said[decoder] === order.cells[index]?.url ? [] : [index]))
      const [byZbar, byJsqr] = [missed('zbar'), missed('jsqr')]
      // At its worst blur a decoder may need a second look, as phones take many; the other one sees it at once.
      expect(byZbar.filter((index) => byJsqr.includes(index))).toEqual([])
      expect(Math.max(byZbar.length, byJsqr.length)).toBeLessThanOrEqual(1)
    },
    180_000,
  )
})

/** The half of a wide label on which the symbol is: what people point their phones at. */
function framed({ pixels, width, height }: Picture): Picture {
  const side = Math.min(width, height)
  const rows = Array.from({ length: height }, (_, y) =>
    pixels.subarray(y * width + width - side, (y + 1) * width),
  )
  return { pixels: Buffer.concat(rows), width: side, height }
}
