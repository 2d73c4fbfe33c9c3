import { html } from '@/web/html'
import type { QrSymbol } from './qr'

/** Always black on white. A module is one user unit, and one millimeter by default. */
export function svgOf(symbol: QrSymbol, margin: number, title: string): string {
  const width = symbol.size + 2 * margin
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}mm" height="${width}mm" viewBox="0 0 ${width} ${width}" role="img" shape-rendering="crispEdges"><title>${title}</title><path fill="#fff" d="M0 0h${width}v${width}H0z"/><path d="${darkRuns(symbol, margin)}"/></svg>`
    .text
}

/** One path; adjacent dark modules of a row become one rectangle. */
function darkRuns({ size, isDark }: QrSymbol, margin: number): string {
  let path = ''
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      if (!isDark(x, y)) continue
      const start = x
      while (x < size && isDark(x, y)) x += 1
      path += `M${start + margin} ${y + margin}h${x - start}v1H${start + margin}z`
    }
  return path
}
