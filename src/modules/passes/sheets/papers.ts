import type { SheetKind, SheetPaper } from './order'

/** A label layout in millimeters. */
export type Grid = {
  page: { width: number; height: number }
  columns: number
  rows: number
  label: { width: number; height: number }
  /** Top left corner of the first label, and the pitch. */
  left: number
  top: number
  pitchX: number
  pitchY: number
  /** For labels cut by hand: crop marks and bleed. */
  cut: { bleed: number } | undefined
  /** One label per page; the area around it is only for print shops. */
  isCropped?: boolean
}

const INCH = 25.4
const A4 = { width: 210, height: 297 }
const LETTER = { width: 8.5 * INCH, height: 11 * INCH }
const BLEED = 3

/** Holds bleed and crop marks. */
const AROUND_CARD = 10

/** Avery L7160, published in mm: 21 labels of 63.5 × 38.1, column gap 2.54, no row gap. */
const L7160: Grid = {
  page: A4,
  columns: 3,
  rows: 7,
  label: { width: 63.5, height: 38.1 },
  ...{ left: 7.21, top: 15.15, pitchX: 66.04, pitchY: 38.1 },
  cut: undefined,
}

/** Avery 5163, published in inches: 10 labels of 4 × 2, column gap 3/16, no row gap. */
const L5163: Grid = {
  page: LETTER,
  columns: 2,
  rows: 5,
  label: { width: 4 * INCH, height: 2 * INCH },
  ...{ left: 0.15625 * INCH, top: 0.5 * INCH, pitchX: 4.1875 * INCH, pitchY: 2 * INCH },
  cut: undefined,
}

/**
 * The CropBox is the card, for card printers. Bleed and crop marks around it are for print shops, which use TrimBox and BleedBox.
 */
const CARD: Grid = {
  page: { width: 86 + 2 * AROUND_CARD, height: 54 + 2 * AROUND_CARD },
  columns: 1,
  rows: 1,
  label: { width: 86, height: 54 },
  ...{ left: AROUND_CARD, top: AROUND_CARD, pitchX: 0, pitchY: 0 },
  cut: { bleed: BLEED },
  isCropped: true,
}

/** Sizes of standard badge holders: 90 × 60 mm, and 3½ × 2¼ inches in the US. */
const BADGES = {
  a4: centred(A4, 2, 4, { width: 90, height: 60 }, BLEED),
  letter: centred(LETTER, 2, 4, { width: 3.5 * INCH, height: 2.25 * INCH }, BLEED),
}

/** Stickers touch, so one cut separates two; they have no bleed. */
const STICKERS = {
  a4: centred(A4, 5, 7, { width: 36, height: 36 }, 0),
  letter: centred(LETTER, 5, 7, { width: 36, height: 36 }, 0),
}

export function gridOf(kind: SheetKind, paper: SheetPaper): Grid {
  if (paper === 'badge-86x54') return CARD
  if (kind === 'checkin-poster') return whole(paper === 'a4' || paper === 'avery-l7160' ? A4 : LETTER)
  if (paper === 'avery-l7160') return L7160
  if (paper === 'avery-5163') return L5163
  return kind === 'badges' ? BADGES[paper] : STICKERS[paper]
}

/** Only pre-cut sheets can be partly used. */
export function labelsOn(paper: SheetPaper): number {
  const { columns, rows, cut } = gridOf('badges', paper)
  return cut ? 1 : columns * rows
}

/** Centered on the page, spaced so that bleeds touch. */
function centred(
  page: Grid['page'],
  columns: number,
  rows: number,
  label: Grid['label'],
  bleed: number,
): Grid {
  const [pitchX, pitchY] = [label.width + 2 * bleed, label.height + 2 * bleed]
  const [width, height] = [columns * pitchX - 2 * bleed, rows * pitchY - 2 * bleed]
  const [left, top] = [(page.width - width) / 2, (page.height - height) / 2]
  return { page, columns, rows, label, left, top, pitchX, pitchY, cut: { bleed } }
}

const whole = (page: Grid['page']): Grid => ({
  ...{ page, columns: 1, rows: 1, label: page, left: 0, top: 0, pitchX: 0, pitchY: 0 },
  cut: undefined,
})
