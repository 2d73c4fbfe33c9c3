import sharp from 'sharp'
import { yieldToOthers } from '@/lifecycle/yield-to-others'
import type { Weight } from '@/modules/passes/sheets/fonts/families'
import { openLibrary } from '@/modules/passes/sheets/fonts/library'
import type { Block } from '@/modules/passes/sheets/text/fit'
import { Typesetter } from '@/modules/passes/sheets/typesetter'
import type { PreviewAnswer, PreviewOrder } from '../order'

/** The size that link previews expect. */
export const [WIDTH, HEIGHT] = [1200, 630]
const MARGIN = 64
const TEXT_WIDTH = 688
const COLOURS = { ground: '#f6f5f2', paper: '#ffffff', ink: '#1d2127', quiet: '#5b6470' }

type Box = { x: number; y: number; width: number }

/** Letters are drawn as paths with our own fonts, so that the picture is the same on every machine. */
async function previewSvg(order: PreviewOrder): Promise<string> {
  const { site, title, when, where, month, day, accent, pattern } = order
  const texts: [string, Weight][] = [
    [title, 'bold'],
    [site, 'bold'],
    [month, 'bold'],
    [day, 'bold'],
    [when, 'regular'],
    [where, 'regular'],
  ]
  const setter = new Typesetter(await openLibrary(texts))
  const line = (text: string, weight: Weight, width: number, largest: number) =>
    setter.set(text, weight, {
      width,
      height: largest * 1.5,
      largest,
      single: largest * 0.3,
      whole: largest * 0.3,
    })
  const head = setter.set(title, 'bold', {
    width: TEXT_WIDTH,
    height: 236,
    largest: 68,
    single: 60,
    whole: 30,
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<rect width="${WIDTH}" height="${HEIGHT}" fill="${COLOURS.ground}"/>
<rect x="816" width="384" height="${HEIGHT}" fill="${accent}" opacity="0.14"/>
<svg x="816" y="0" width="384" height="${HEIGHT}" viewBox="0 0 320 180" preserveAspectRatio="xMidYMid slice" color="${accent}" fill="none">${pattern}</svg>
<rect width="12" height="${HEIGHT}" fill="${accent}"/>
${leaf(line(month, 'bold', 100, 26), line(day, 'bold', 100, 56), accent)}
${drawn(line(site, 'bold', 540, 30), { x: MARGIN + 148, y: MARGIN + 52, width: 540 }, accent)}
${drawn(head, { x: MARGIN, y: 222, width: TEXT_WIDTH }, COLOURS.ink)}
${drawn(line(when, 'regular', TEXT_WIDTH, 32), { x: MARGIN, y: 488, width: TEXT_WIDTH }, COLOURS.ink)}
${drawn(line(where, 'regular', TEXT_WIDTH, 28), { x: MARGIN, y: 538, width: TEXT_WIDTH }, COLOURS.quiet)}
</svg>`
}

const leaf = (month: Block, day: Block, accent: string) =>
  `<rect x="${MARGIN}" y="${MARGIN}" width="120" height="124" rx="18" fill="${COLOURS.paper}"/>
<path d="M${MARGIN} ${MARGIN + 42}v-24a18 18 0 0 1 18-18h84a18 18 0 0 1 18 18v24z" fill="${accent}"/>
${centred(month, MARGIN + 60, MARGIN + 21, COLOURS.paper)}
${centred(day, MARGIN + 60, MARGIN + 83, COLOURS.ink)}`

const centred = (block: Block, x: number, y: number, colour: string) => {
  const width = Math.max(...block.lines.map(({ line }) => line.width * block.size))
  return drawn(block, { x: x - width / 2, y: y - block.height / 2, width }, colour)
}

/** Lines start at the side of their script. */
function drawn({ lines, size, isRightToLeft }: Block, box: Box, colour: string): string {
  const glyphs = lines.flatMap(({ line, baseline }) => {
    const left = isRightToLeft ? box.x + box.width - line.width * size : box.x
    return line.runs.flatMap(({ face, glyphs }) => {
      const scale = size / face.unitsPerEm
      return glyphs.map(
        ({ id, x, y }) =>
          `<path transform="translate(${(left + x * size).toFixed(2)} ${(box.y + baseline - y * size).toFixed(2)}) scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})" d="${face.font.glyphToPath(id)}"/>`,
      )
    })
  })
  return `<g fill="${colour}">${glyphs.join('')}</g>`
}

// A separate process: fonts and encoding would block requests and take memory.

sharp.cache(false)
sharp.concurrency(1)
process.on('disconnect', () => process.exit())
yieldToOthers()
process.on('message', async (order: PreviewOrder) => {
  process.send?.(await answer(order))
})

async function answer(order: PreviewOrder): Promise<PreviewAnswer> {
  try {
    const png = await sharp(Buffer.from(await previewSvg(order)))
      .png({ palette: true, colours: 128, effort: 4 })
      .toBuffer()
    return { png: png.toString('base64') }
  } catch (error) {
    const { name, message } = error as Error
    return { failed: `${name}: ${message}` }
  }
}
