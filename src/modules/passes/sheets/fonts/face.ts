import { Blob, Font, Face as HarfbuzzFace, Variation } from 'harfbuzzjs'
import decompress from 'woff2-encoder/decompress'
import type { FontFile, Weight } from './families'

const WEIGHTS = { regular: 400, bold: 700 }

/** Ink bounds of a glyph relative to its origin, in em. */
export type Ink = { left: number; right: number; top: number; bottom: number }

/** A font in one weight, ready for shaping. */
export type Face = {
  key: string
  name: string
  weight: Weight
  /** An OpenType file, possibly with a weight axis. */
  bytes: Uint8Array
  pinnedWeight: number | undefined
  font: Font
  unitsPerEm: number
  hasCharacter(character: number): boolean
  advanceOf(glyph: number): number
  /** Undefined for glyphs without ink, such as spaces. */
  inkOf(glyph: number): Ink | undefined
}

/** Reads each file once: variable fonts hold both weights. */
export function unpacker(): (path: string) => Promise<Uint8Array> {
  const known = new Map<string, Uint8Array>()
  return async (path) => {
    const file = known.get(path) ?? (await Bun.file(path).bytes())
    const bytes = path.endsWith('.woff2') && !known.has(path) ? await decompress(file) : file
    known.set(path, bytes)
    return bytes
  }
}

export function openFace(file: FontFile, weight: Weight, bytes: Uint8Array): Face {
  const face = new HarfbuzzFace(new Blob(bytes))
  const font = new Font(face)
  if (file.hasWeightAxis) font.setVariations([new Variation('wght', WEIGHTS[weight])])
  const em = face.upem
  const characters = remembered((character) => font.nominalGlyph(character) !== undefined)
  const advances = remembered((glyph) => font.glyphHAdvance(glyph) / em)
  const inks = remembered((glyph) => {
    const found = font.glyphExtents(glyph)
    if (!found || found.width === 0 || found.height === 0) return undefined
    const [left, top] = [found.xBearing / em, found.yBearing / em]
    return { left, top, right: left + found.width / em, bottom: top + found.height / em }
  })
  return {
    key: `${file.key}-${weight}`,
    name: file.name,
    weight,
    bytes,
    pinnedWeight: file.hasWeightAxis ? WEIGHTS[weight] : undefined,
    font,
    unitsPerEm: em,
    hasCharacter: characters,
    advanceOf: advances,
    inkOf: inks,
  }
}

/** Each call to the shaper crosses into WebAssembly; a sheet asks for the same few glyphs thousands of times. */
function remembered<T>(ask: (key: number) => T): (key: number) => T {
  const known = new Map<number, T>()
  return (key) => {
    if (known.has(key)) return known.get(key) as T
    const answer = ask(key)
    known.set(key, answer)
    return answer
  }
}
