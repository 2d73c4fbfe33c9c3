import { beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { KINDS, PAPERS } from '@/modules/passes/sheets/order'
import { labelsOn } from '@/modules/passes/sheets/papers'
import { renderSheet, type SheetOrder } from '@/modules/passes/sheets/render'
import { LONG_NAMES, NAMES, orderOf, untold } from '../modules/passes/sheets/orders'
import { seededRandom } from '../support/random'
import { inkAround, labelsOf, readByJsqr, save } from './labels'
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

/**
 * What zbar reads on whole pages, in several looks at other lines of them: beside thirty others it misses one or another symbol that it
 * reads alone, and not the same ones at the next look.
 */
async function readOnPages(pages: string[]): Promise<Set<string>> {
  const looks = await Promise.all([1, 2, 3, 4].map((step) => readByZbar(pages, step)))
  return new Set(looks.flat(2))
}

const addresses = ({ cells }: SheetOrder) => cells.map(({ url }) => url)

describe('a printed sheet', () => {
  test.each(every)('is sound, and two decoders read every symbol: %s on %s', async (kind, paper) => {
    const names = kind === 'checkin-poster' ? NAMES.slice(0, 2) : [...NAMES, ...LONG_NAMES]
    const isUsed = kind !== 'checkin-poster' && labelsOn(paper) > 1
    const order = orderOf(names, { kind, paper, startAt: isUsed ? 3 : 1 })
    await printed(order, async (pdf, pages) => {
      expect(await outputOf('qpdf', '--check', pdf)).toMatchObject({ status: 0 })
      expect(await readOnPages(pages)).toEqual(new Set(addresses(order)))
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

  test.each([
    ['badges', 'a4'],
    ['badges', 'letter'],
    ['badges', 'badge-86x54'],
    ['stickers', 'letter'],
    ['stickers', 'badge-86x54'],
  ] as const)('has only colour in the bleed, and only marks outside: %s on %s', async (kind, paper) => {
    const order = orderOf([...LONG_NAMES, ...NAMES].slice(0, 8), { kind, paper })
    await printed(order, async (_, pages) => {
      for (const page of pages)
        expect(await inkAround(order, page)).toEqual({ outside: 0, inBleed: 0, bleeds: hasBand(kind, paper) })
    })
  })
})

const hasBand = (kind: string, paper: string) => kind === 'badges' || paper === 'badge-86x54'

/** A phone at arm's length, held anyhow: a symbol with its quiet zone fills 250 to 440 pixels. */
const cameraOf = (random: () => number): Camera => ({
  turn: 360 * random(),
  tilt: 0.2 * random(),
  scale: 0.8 + 0.4 * random(),
  blur: 0.5 + random(),
  contrast: 0.5,
  noise: 2,
})

describe('fifty photographs in half the contrast, turned, tilted, blurred and noisy', () => {
  test.each([
    ['stickers', 'a4', 1],
    ['stickers', 'avery-l7160', 2],
    ['badges', 'a4', 3],
    ['badges', 'badge-86x54', 4],
  ] as const)(
    'are all read by both decoders: %s on %s',
    async (kind, paper, seed) => {
      const { random } = seededRandom(seed)
      const order = orderOf(Array(50).fill('Ada Lovelace'), { kind, paper })
      const labels = await printed(order, (_, pages) => labelsOf(order, pages))
      const pictures: Picture[] = []
      for (const label of labels) pictures.push(await photograph(framed(label), cameraOf(random), random))
      expect(await readByBoth(pictures)).toEqual(addresses(order).map((url) => ({ zbar: url, jsqr: url })))
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
