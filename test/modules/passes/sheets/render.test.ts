import { describe, expect, test } from 'bun:test'
import { inflateSync } from 'node:zlib'
import { KINDS, PAPERS } from '@/modules/passes/sheets/order'
import { renderSheet } from '@/modules/passes/sheets/render'
import { symbolOf } from '@/modules/passes/symbols/qr'
import { HOSTILE_TEXTS } from '../../../support/hostile-texts'
import { NAMES, orderOf, untold } from './orders'

const every = KINDS.flatMap((kind) => PAPERS.map((paper) => [kind, paper] as const))

/** How many symbols each page has. */
const symbolsOf = (bytes: Uint8Array): number[] =>
  contentsOf(bytes)
    .map((content) => content.match(/ cm 0 g /g)?.length ?? 0)
    .filter((count) => count > 0)

/** What draws each page. */
function contentsOf(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString('latin1')
  const pages: string[] = []
  for (const { 1: length, index, 0: head } of text.matchAll(
    /<<\/Length (\d+)\/Filter\/FlateDecode>>\nstream\n/g,
  )) {
    const start = index + head.length
    const content = inflateSync(bytes.subarray(start, start + Number(length))).toString('latin1')
    if (/^(BT|q|0|1|\/)/.test(content) && !content.startsWith('/CIDInit')) pages.push(content)
  }
  return pages
}

describe('a sheet', () => {
  test.each(every)('has a symbol for each of its cells: %s on %s', async (kind, paper) => {
    const { bytes, pages, missing } = await renderSheet(orderOf(NAMES, { kind, paper }), untold)
    const symbols = symbolsOf(bytes)
    expect(symbols.length).toBe(pages)
    expect(symbols.reduce((sum, count) => sum + count)).toBe(NAMES.length)
    expect(missing).toEqual([])
  })

  test('is the same bytes for the same order', async () => {
    const [one, other] = [
      await renderSheet(orderOf(NAMES), untold),
      await renderSheet(orderOf(NAMES), untold),
    ]
    expect(Buffer.from(one.bytes).equals(other.bytes)).toBe(true)
  })

  test('begins at the first free label', async () => {
    const order = orderOf(Array(22).fill('Ada'), { paper: 'avery-l7160' })
    expect(symbolsOf((await renderSheet(order, untold)).bytes)).toEqual([21, 1])
    expect(symbolsOf((await renderSheet({ ...order, startAt: 20 }, untold)).bytes)).toEqual([2, 20])
  })

  test('leaves four modules white on every side of a symbol', async () => {
    const { bytes } = await renderSheet(orderOf(['Ada'], { kind: 'checkin-poster' }), untold)
    const placed = /q ([\d.]+) 0 0 -[\d.]+ ([\d.]+) [\d.]+ cm 0 g /.exec(contentsOf(bytes).join())
    const [module, x] = (placed ?? []).slice(1).map(Number) as [number, number]
    const modules = symbolOf(orderOf(['Ada']).cells[0]?.url as string, 'Q').size
    // The symbol stands in the middle of the page, in a square that its quiet zone fills.
    const page = (210 / 25.4) * 72
    expect(x).toBeCloseTo((page - modules * module) / 2, 1)
  })

  test('tells how far it is, up to the end', async () => {
    const told: [number, number][] = []
    await renderSheet(orderOf(Array(120).fill('Ada')), async (done, total) => void told.push([done, total]))
    expect(told).toEqual([50, 100, 120].map((done) => [done, 120]))
  })

  test('tells whose characters no font has', async () => {
    const { missing } = await renderSheet(orderOf(['Ada 🚀', 'Grace', 'ꦄ']), untold)
    expect(missing).toEqual([
      { name: 'Ada 🚀', characters: ['🚀'] },
      { name: 'ꦄ', characters: ['ꦄ'] },
    ])
  })

  test('shows something else for a name of which nothing can be drawn, and tells it', async () => {
    const shown = (name: string, fallback: string | null = null) => {
      const order = orderOf([name])
      return renderSheet({ ...order, cells: order.cells.map((cell) => ({ ...cell, fallback })) }, untold)
    }
    const username = await shown('ada-okafor')
    for (const name of ['🚀 🚀', 'ꦄꦤ', '(🚀)', 'ꦄ-ꦤ']) {
      const { bytes, missing } = await shown(name, 'ada-okafor')
      expect(Buffer.from(bytes).equals(username.bytes)).toBe(true)
      expect(missing.map((told) => told.name)).toEqual([name])
    }
    const site = await shown('Meet Example')
    expect(Buffer.from((await shown('🚀')).bytes).equals(site.bytes)).toBe(true)
    const plain = await shown('!!!')
    expect(Buffer.from((await shown('!!!', 'ada-okafor')).bytes).equals(plain.bytes)).toBe(true)
    const some = await shown('Ada ꦄ')
    expect(Buffer.from((await shown('Ada ꦄ', 'ada-okafor')).bytes).equals(some.bytes)).toBe(true)
  })

  test('renders any input', async () => {
    const texts = [...HOSTILE_TEXTS, 'a'.repeat(10_000), '\ud800'.repeat(50)]
    const order = orderOf(texts, { title: texts.join(' '), subtitle: '\u202e\0', siteName: '🚀' })
    const { bytes, pages } = await renderSheet(order, untold)
    expect(pages).toBe(Math.ceil(texts.length / 8))
    expect(symbolsOf(bytes).length).toBe(pages)
  })

  test('without guests is an empty page', async () => {
    expect((await renderSheet(orderOf([]), untold)).pages).toBe(1)
  })

  test('lets others have their turn', async () => {
    let turns = 0
    let isOver = false
    const tick = () => {
      turns += 1
      if (!isOver) setImmediate(tick)
    }
    tick()
    await renderSheet(orderOf(Array(200).fill('Ada Lovelace')), untold)
    isOver = true
    expect(turns).toBeGreaterThan(10)
  })
})
