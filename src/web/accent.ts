import type { Accent } from '@/config/accent'
import colours from './styles/colours.css' with { type: 'text' }
import themes from './styles/themes.css' with { type: 'text' }

type Rgb = readonly [red: number, green: number, blue: number]

/** The contrast that WCAG 2.2 requires of text (1.4.3). */
const READABLE = 4.5
const STEPS = 100

/**
 * The site's accent. The operator's own colour is darkened by day and lightened by night until it is readable on every
 * background; then text on it is readable too.
 */
export function accentStyle(accent: Accent | null): string {
  if (accent === null) return ''
  if ('theme' in accent) {
    const [, declaration] = new RegExp(`\\.${accent.theme} \\{([^}]*)\\}`).exec(themes) ?? []
    return `:root {${declaration}}`
  }
  const own = rgbOf(accent.colour)
  const light = readable(own, [0, 0, 0], 0)
  const dark = readable(own, [255, 255, 255], 1)
  return `:root { --accent: light-dark(${light}, ${dark}); }`
}

/** The same by day, for drawings. */
export const accentByDay = (accent: Accent): string =>
  /--accent: light-dark\((#\w+)/.exec(accentStyle(accent))?.[1] as string

/** The backgrounds of the accent, by day or night. */
const grounds = (night: 0 | 1): Rgb[] =>
  ['--paper', '--ground', '--notice-ground'].map((name) => {
    const pair = new RegExp(`${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(colours)
    return rgbOf(pair?.[night + 1] as string)
  })

/** Mixes in as little black or white as needed. */
function readable(own: Rgb, towards: Rgb, night: 0 | 1): string {
  const behind = grounds(night)
  let mixed = own
  for (let step = 0; step <= STEPS; step += 1) {
    mixed = own.map((part, i) =>
      Math.round(part + (((towards[i] as number) - part) * step) / STEPS),
    ) as unknown as Rgb
    if (behind.every((ground) => contrast(mixed, ground) >= READABLE)) break
  }
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

const rgbOf = (hex: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb

function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** As WCAG 2.2 defines it. */
function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const value = part / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
