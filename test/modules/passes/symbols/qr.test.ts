import { expect, test } from 'bun:test'
import jsQR from 'jsqr'
import { type QrSymbol, QUIET_ZONE, symbolOf } from '@/modules/passes/symbols/qr'

const ADDRESS = 'HTTPS://MEET.EXAMPLE.ORG/PASS/7K3M9QPAXH2TB4RD'

/** Four pixels for a module, and the quiet zone. */
function pixelsOf({ size, isDark }: QrSymbol) {
  const width = (size + 2 * QUIET_ZONE) * 4
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  for (let y = 0; y < width; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [column, row] = [Math.floor(x / 4) - QUIET_ZONE, Math.floor(y / 4) - QUIET_ZONE]
      const isInside = column >= 0 && row >= 0 && column < size && row < size
      if (isInside && isDark(column, row)) pixels.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
    }
  return { pixels, width }
}

test.each(['M', 'Q'] as const)('a symbol says its address, and a decoder agrees: %s', (errorCorrection) => {
  const { pixels, width } = pixelsOf(symbolOf(ADDRESS, errorCorrection))
  const read = jsQR(pixels, width, width)
  expect(read?.data).toBe(ADDRESS)
  expect(read?.chunks.map(({ type }) => String(type))).toEqual(['alphanumeric'])
})

test('capitals make a smaller symbol than bytes would', () => {
  expect(symbolOf(ADDRESS, 'Q').size).toBeLessThan(symbolOf(ADDRESS.toLowerCase(), 'Q').size)
})
