import { expect, test } from 'bun:test'
import { THEME_COLORS } from '@/config/accent'
import colours from '@/web/styles/colours.css' with { type: 'text' }
import themes from '@/web/styles/themes.css' with { type: 'text' }

type Pair = [light: string, dark: string]

const pairIn = (css: string, name: string): Pair => {
  const [, light = '', dark = ''] =
    new RegExp(`${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(css) ?? []
  return [light, dark]
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const mixed = (one: string, other: string, share: number) =>
  `#${[1, 3, 5]
    .map((at) => {
      const [a, b] = [one, other].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number]
      return Math.round(a * share + b * (1 - share))
        .toString(16)
        .padStart(2, '0')
    })
    .join('')}`

test('every theme is an accent that can be read, by day and by night', () => {
  const [paper, ground, onAccent, ink] = ['--paper', '--ground', '--on-accent', '--ink'].map((name) =>
    pairIn(colours, name),
  ) as [Pair, Pair, Pair, Pair]
  const weak: string[] = []
  for (const name of THEME_COLORS) {
    const accent = pairIn(new RegExp(`\\.${name} \\{[^}]*\\}`).exec(themes)?.[0] ?? '', '--accent')
    for (const night of [0, 1] as const) {
      const found = {
        paper: contrast(accent[night], paper[night]),
        ground: contrast(accent[night], ground[night]),
        button: contrast(onAccent[night], accent[night]),
        state: contrast(ink[night], mixed(accent[night], paper[night], 0.12)),
      }
      for (const [where, ratio] of Object.entries(found))
        if (!(ratio >= 4.5))
          weak.push(`${name} on ${where}, ${night ? 'dark' : 'light'}: ${ratio.toFixed(2)}`)
    }
  }
  expect(weak).toEqual([])
})
