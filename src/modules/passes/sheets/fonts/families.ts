import { fileURLToPath } from 'node:url'

export type Weight = 'regular' | 'bold'

/** A variable font file, or one file per weight. */
export type FontFile = { key: string; name: string; pathOf(weight: Weight): string; hasWeightAxis: boolean }

/** Covers Latin, Greek, Cyrillic and Devanagari. */
export const COMMON: FontFile = {
  key: 'latin',
  name: 'NotoSans',
  hasWeightAxis: false,
  pathOf: (weight) =>
    packaged(
      `@expo-google-fonts/noto-sans/${weight === 'bold' ? '700Bold/NotoSans_700Bold' : '400Regular/NotoSans_400Regular'}.ttf`,
    ),
}

/** One family per script; the subset has the script's name. */
const SCRIPTS = [
  ...['arabic', 'hebrew', 'thai', 'bengali', 'gujarati', 'tamil', 'telugu'],
  ...['armenian', 'georgian', 'ethiopic'],
]

/** Han glyphs differ by language, so the other characters of a name decide the family. */
export type HanFamily = 'sc' | 'jp' | 'kr'

const ranges = new Map<string, { slice: string; first: number; last: number }[]>()

/**
 * Candidate files for a character, best first. Han fonts come in about a hundred slices each. The coverage of a family is read only
 * when all earlier ones lack the character.
 */
export async function* filesFor(character: number, han: readonly HanFamily[]): AsyncIterable<FontFile> {
  yield COMMON
  if (character < 0x530) return
  for (const family of [...SCRIPTS, ...han]) {
    const slice = (await slicesOf(family)).find(({ first, last }) => character >= first && character <= last)
    if (slice) yield variable(family, slice.slice)
  }
}

async function slicesOf(family: string) {
  const known = ranges.get(family)
  if (known) return known
  const path = packaged(`@fontsource-variable/noto-sans-${family}/unicode.json`)
  const listed = (await Bun.file(path).json()) as Record<string, string>
  const slices = Object.entries(listed).filter(([name]) => !SCRIPTS.includes(family) || name === family)
  const found = slices.flatMap(([name, text]) =>
    text.split(',').map((range) => {
      const [first, last] = range.slice(2).split('-')
      const slice = name.replace(/[[\]]/g, '')
      return {
        slice,
        first: Number.parseInt(first as string, 16),
        last: Number.parseInt(last ?? (first as string), 16),
      }
    }),
  )
  ranges.set(family, found)
  return found
}

function variable(family: string, slice: string): FontFile {
  const script = family[0]?.toUpperCase() + family.slice(1)
  return {
    key: `${family}-${slice}`,
    name: `NotoSans${family.length === 2 ? family.toUpperCase() : script}`,
    hasWeightAxis: true,
    pathOf: () =>
      packaged(
        `@fontsource-variable/noto-sans-${family}/files/noto-sans-${family}-${slice}-wght-normal.woff2`,
      ),
  }
}

const packaged = (path: string) => fileURLToPath(import.meta.resolve(path))
