import type { QrSymbol } from '../../symbols/qr'
import type { Block } from '../text/fit'
import type { Line } from '../text/lines'
import { decimal } from './document'
import type { UsedFonts } from './fonts'

/** Print colors. Black is pure K, so that symbols and small text stay sharp. */
export type Colour = 'black' | 'grey' | 'white' | 'green'

const FILLS: Record<Colour, string> = {
  black: '0 g',
  grey: '0.38 g',
  white: '1 g',
  // The brand green.
  green: '0.122 0.435 0.329 rg',
}

export type Box = { x: number; y: number; width: number; height: number }

/** `start` follows the reading direction. */
export type Align = { across: 'start' | 'center'; down: 'top' | 'middle' | 'bottom' }

/** Lengths in points from the top left corner. */
export class Canvas {
  readonly #operators: string[] = []
  readonly #fonts: UsedFonts
  readonly #height: number

  constructor(height: number, fonts: UsedFonts) {
    this.#height = height
    this.#fonts = fonts
  }

  copy(): Canvas {
    const page = new Canvas(this.#height, this.#fonts)
    page.#operators.push(...this.#operators)
    return page
  }

  get content(): Uint8Array {
    return Buffer.from(this.#operators.join('\n'), 'latin1')
  }

  fill({ x, y, width, height }: Box, colour: Colour) {
    this.#operators.push(
      `${FILLS[colour]} ${decimal(x)} ${decimal(this.#height - y - height)} ${decimal(width)} ${decimal(height)} re f`,
    )
  }

  /** A hairline crop mark. */
  mark(fromX: number, fromY: number, toX: number, toY: number) {
    const point = (x: number, y: number) => `${decimal(x)} ${decimal(this.#height - y)}`
    this.#operators.push(`0 G 0.25 w ${point(fromX, fromY)} m ${point(toX, toY)} l S`)
  }

  text({ lines, size, height, isRightToLeft }: Block, box: Box, colour: Colour, { across, down }: Align) {
    const spare = box.height - height
    const top = box.y + (down === 'top' ? 0 : down === 'middle' ? spare / 2 : spare)
    for (const { line, baseline } of lines) {
      const slack = box.width - line.width * size
      const left = box.x + (across === 'center' ? slack / 2 : isRightToLeft ? slack : 0)
      this.#line(line, left, this.#height - top - baseline, size, colour)
    }
  }

  #line({ runs }: Line, left: number, baseline: number, size: number, colour: Colour) {
    const shown: string[] = []
    for (const { face, glyphs } of runs) {
      const font = this.#fonts.use(face)
      const first = glyphs[0]
      if (!first) continue
      shown.push(
        `/${font.name} ${decimal(size)} Tf 1 0 0 1 ${decimal(left + first.x * size)} ${decimal(baseline)} Tm`,
      )
      let [pen, rise, pieces, codes] = [first.x, 0, '', '']
      for (const { id, x, y, text } of glyphs) {
        if (Math.abs(y - rise) > 0.0005) {
          shown.push(
            `${pieces}${codes && `<${codes}>`}`.replace(/^(.+)$/, '[$1]TJ'),
            `${decimal(y * size)} Ts`,
          )
          ;[rise, pieces, codes] = [y, '', '']
        }
        if (Math.abs(x - pen) > 0.0005) {
          pieces += `${codes && `<${codes}>`}${decimal((pen - x) * 1000)}`
          codes = ''
          pen = x
        }
        codes += font.codeOf(id, text)
        pen += face.advanceOf(id)
      }
      shown.push(`[${pieces}${codes && `<${codes}>`}]TJ`)
      if (rise !== 0) shown.push('0 Ts')
    }
    this.#operators.push(`BT ${FILLS[colour]} ${shown.filter(Boolean).join(' ')} ET`)
  }

  /** Draws a symbol without its quiet zone as one path of few rectangles, so that no seams appear at any size. */
  symbol({ size, modules }: QrSymbol, x: number, y: number, width: number) {
    const module = width / size
    const scale = (module: number) => String(Math.round(module * 1e6) / 1e6)
    this.#operators.push(
      `q ${scale(module)} 0 0 ${scale(-module)} ${decimal(x)} ${decimal(this.#height - y)} cm 0 g ${rectanglesOf(size, modules)}f Q`,
    )
  }
}

/** Merges dark modules into rectangles: runs of a row, extended over identical runs below. */
function rectanglesOf(size: number, modules: Uint8Array): string {
  let drawn = ''
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      const start = x
      while (x < size && modules[y * size + x] === 1) x += 1
      if (x === start || isStretch(size, modules, start, x, y - 1)) continue
      let below = y + 1
      while (isStretch(size, modules, start, x, below)) below += 1
      drawn += `${start} ${y} ${x - start} ${below - y} re `
    }
  return drawn
}

/** Whether a row has a run of exactly these modules. */
function isStretch(size: number, modules: Uint8Array, start: number, end: number, y: number): boolean {
  if (y < 0 || y >= size) return false
  const row = y * size
  if ((start > 0 && modules[row + start - 1] === 1) || (end < size && modules[row + end] === 1)) return false
  for (let x = start; x < end; x += 1) if (modules[row + x] !== 1) return false
  return true
}
