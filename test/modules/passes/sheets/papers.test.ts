import { describe, expect, test } from 'bun:test'
import { KINDS, PAPERS } from '@/modules/passes/sheets/order'
import { gridOf, labelsOn } from '@/modules/passes/sheets/papers'

const every = KINDS.flatMap((kind) => PAPERS.map((paper) => [kind, paper] as const))

describe('papers', () => {
  test.each(every)('have labels that are on the page, apart, and in its middle: %s on %s', (kind, paper) => {
    const { page, columns, rows, label, left, top, pitchX, pitchY, cut } = gridOf(kind, paper)
    const right = page.width - left - (columns - 1) * pitchX - label.width
    const bottom = page.height - top - (rows - 1) * pitchY - label.height
    expect(right).toBeCloseTo(left, 2)
    expect(bottom).toBeCloseTo(top, 2)
    expect(Math.min(left, top)).toBeGreaterThanOrEqual(0)
    const bleed = 2 * (cut?.bleed ?? 0)
    if (columns > 1) expect(pitchX).toBeGreaterThanOrEqual(label.width + bleed)
    if (rows > 1) expect(pitchY).toBeGreaterThanOrEqual(label.height + bleed)
    // Crop marks end before a printer's own margin begins.
    if (cut) expect(Math.min(left, top) - cut.bleed - 4).toBeGreaterThanOrEqual(3)
  })

  test('have the labels of their makers', () => {
    expect(gridOf('badges', 'avery-l7160')).toMatchObject({
      ...{ columns: 3, rows: 7, label: { width: 63.5, height: 38.1 }, cut: undefined },
      page: { width: 210, height: 297 },
    })
    const american = gridOf('stickers', 'avery-5163')
    expect(american).toMatchObject({ columns: 2, rows: 5, cut: undefined })
    const inches = [american.label.width, american.label.height, american.left, american.top, american.pitchX]
    expect(inches.map((length) => length / 25.4)).toEqual(
      [4, 2, 0.15625, 0.5, 4.1875].map((inch) => expect.closeTo(inch, 6)),
    )
    expect(PAPERS.map(labelsOn)).toEqual([1, 1, 21, 10, 1])
  })
})
