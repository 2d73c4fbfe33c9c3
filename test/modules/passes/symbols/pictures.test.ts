import { describe, expect, test } from 'bun:test'
import sharp from 'sharp'
import { pngOf } from '@/modules/passes/symbols/png'
import { symbolOf } from '@/modules/passes/symbols/qr'
import { svgOf } from '@/modules/passes/symbols/svg'
import { decoded } from './decoded'

const ADDRESSES = [
  'HTTP://127.0.0.1:3000/PASS/ABCD2345EFGH6789',
  'HTTPS://M.EXAMPLE/PASS/ABCD2345EFGH6789',
  'HTTPS://MEET.EXAMPLE.ORG/PASS/7K3M9QPAXH2TB4RD',
  'HTTPS://XN--MNCHEN-3YA.COMMUNITY-OF-COMMUNITIES.EXAMPLE.ORG:8443/PASS/7K3M9QPAXH2TB4RD',
  'HTTP://[2001:DB8::1]:3000/PASS/7K3M9QPAXH2TB4RD',
  `HTTPS://${'LONG-LABEL.'.repeat(22)}EXAMPLE/PASS/7K3M9QPAXH2TB4RD`,
]

describe.each(ADDRESSES)('%s', (address) => {
  test.each(['M', 'Q'] as const)('is read from the drawing: %s', async (ecc) => {
    for (const margin of [4, 9]) {
      const svg = svgOf(symbolOf(address, ecc), margin, address)
      expect(await decoded(await sharp(Buffer.from(svg), { density: 96 }).png().toBuffer())).toBe(address)
    }
  })

  test.each([128, 129, 255, 600])('is read from a picture of %p pixels', async (size) => {
    const png = pngOf(symbolOf(address, 'M'), size)
    const { width, height, channels, format } = await sharp(png).metadata()
    expect({ width, height, channels, format }).toMatchObject({ width: size, height: size, format: 'png' })
    expect(await decoded(png)).toBe(address)
  })
})

test('every module of a picture has the same whole number of pixels, within at least four of white', async () => {
  const symbol = symbolOf(ADDRESSES[2] as string, 'M')
  for (const size of [128, 300, 777]) {
    const { data } = await sharp(pngOf(symbol, size)).greyscale().raw().toBuffer({ resolveWithObject: true })
    const scale = Math.floor(size / (symbol.size + 8))
    const start = Math.floor((size - symbol.size * scale) / 2)
    expect(start).toBeGreaterThanOrEqual(4 * scale)
    for (let y = 0; y < size; y += 1)
      for (let x = 0; x < size; x += 1) {
        const [column, row] = [Math.floor((x - start) / scale), Math.floor((y - start) / scale)]
        const isInside = Math.min(column, row) >= 0 && Math.max(column, row) < symbol.size
        const isDark = isInside && symbol.isDark(column, row)
        if ((data[y * size + x] === 0) !== isDark)
          throw new Error(`${size}: ${x}, ${y} should be ${isDark ? 'dark' : 'light'}`)
      }
  }
})

test('the same symbol is the same bytes, drawn with one path for what is dark', () => {
  const make = () => svgOf(symbolOf(ADDRESSES[0] as string, 'Q'), 4, 'A & <B>')
  expect(make()).toBe(make())
  expect(make().match(/<path/g)).toHaveLength(2)
  expect(make()).toContain('<title>A &amp; &lt;B&gt;</title>')
  expect(make().length).toBeLessThan(8000)
  const png = () => Buffer.from(pngOf(symbolOf(ADDRESSES[0] as string, 'M'), 2048)).toString('hex')
  expect(png()).toBe(png())
  expect(png().length / 2).toBeLessThan(10_000)
})
