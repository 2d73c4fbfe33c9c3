import { Buffer, ClusterLevel, Direction, shape } from 'harfbuzzjs'
import type { Face, Ink } from '../fonts/face'
import { type Cluster, inVisualOrder, type Run, runsOf, TAGS } from './runs'

/** A glyph where it stands in its line; lengths in this file are parts of the font's size. */
export type Glyph = { id: number; x: number; y: number; text: string }

export type ShapedRun = { face: Face; glyphs: Glyph[] }

/** A line as it stands on paper: how wide it is, and how far its ink reaches above and below the line. */
export type Line = { text: string; runs: ShapedRun[]; width: number; top: number; bottom: number }

const buffer = new Buffer()

/** Scripts whose vowel signs take room of their own, and so say their own text; elsewhere a letter says its marks. */
const BY_CHARACTER =
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Thai}]/u

/** Shapes a line: joins, reorders and places its glyphs as its scripts want it. */
export function lineOf(clusters: readonly Cluster[]): Line {
  const line: Line = { text: textOf(clusters), runs: [], width: 0, top: 0, bottom: 0 }
  let [pen, left, right] = [0, 0, 0]
  for (const run of inVisualOrder(runsOf(clusters))) {
    const shaped: ShapedRun = { face: run.face, glyphs: [] }
    for (const word of wordsOf(run))
      for (const { id, text, advance, dx, dy, ink } of word) {
        if (ink) {
          left = Math.min(left, pen + dx + ink.left)
          right = Math.max(right, pen + dx + ink.right)
          line.top = Math.max(line.top, dy + ink.top)
          line.bottom = Math.min(line.bottom, dy + ink.bottom)
        }
        shaped.glyphs.push({ id, text, x: pen + dx, y: dy })
        pen += advance
      }
    line.runs.push(shaped)
  }
  // Ink that reaches over the edge of its own place is a part of the width.
  if (left < 0) for (const { glyphs } of line.runs) for (const glyph of glyphs) glyph.x -= left
  line.width = Math.max(pen, right) - left
  return line
}

export const textOf = (clusters: readonly Cluster[]) => clusters.map(({ text }) => text).join('')

/** A glyph as the shaper gives it, with the way to the next one. */
type ShapedGlyph = { id: number; text: string; advance: number; dx: number; dy: number; ink: Ink | undefined }

const shapedWords = new WeakMap<Face, Map<string, ShapedGlyph[]>>()

/** Words of a run and the spaces between them, from left to right. Each is shaped once: the same words are in many names and lines. */
function wordsOf({ face, text, script, level }: Run): ShapedGlyph[][] {
  const known = shapedWords.get(face) ?? new Map<string, ShapedGlyph[]>()
  shapedWords.set(face, known)
  const found: ShapedGlyph[][] = []
  for (let start = 0; start < text.length; ) {
    const space = text.indexOf(' ', start)
    const end = space === start ? start + 1 : space < 0 ? text.length : space
    const word = text.slice(start, end)
    const key = `${level & 1}${script} ${word}`
    const shaped = known.get(key) ?? shapedGlyphs({ face, text: word, script, level })
    known.set(key, shaped)
    found.push(shaped)
    start = end
  }
  return level & 1 ? found.reverse() : found
}

function shapedGlyphs({ face, text, script, level }: Run): ShapedGlyph[] {
  buffer.clearContents()
  buffer.setClusterLevel(
    BY_CHARACTER.test(text) ? ClusterLevel.MONOTONE_CHARACTERS : ClusterLevel.MONOTONE_GRAPHEMES,
  )
  buffer.addText(text)
  buffer.guessSegmentProperties()
  // Digits and points belong to no script; they are shaped as the letters beside them.
  if (script !== '') buffer.setScript(TAGS[script])
  buffer.setDirection(level & 1 ? Direction.RTL : Direction.LTR)
  shape(face.font, buffer)
  const [infos, positions] = [buffer.getGlyphInfos(), buffer.getGlyphPositions()]
  const em = face.unitsPerEm
  const glyphs = infos.map(({ codepoint: id, cluster }, index) => {
    const { xAdvance, xOffset, yOffset } = positions[index] as (typeof positions)[number]
    const [advance, dx, dy] = [xAdvance / em, xOffset / em, yOffset / em]
    return { id, cluster, text: '', advance, dx, dy, ink: face.inkOf(id) }
  })
  letSay(glyphs, text)
  return glyphs
}

/** Of the glyphs that draw some characters together, the widest says them all, and the others nothing. */
function letSay(glyphs: (ShapedGlyph & { cluster: number })[], text: string) {
  const inOrder = glyphs.toSorted((one, other) => one.cluster - other.cluster)
  for (let start = 0; start < inOrder.length; ) {
    let end = start + 1
    let widest = inOrder[start] as ShapedGlyph
    const { cluster } = inOrder[start] as { cluster: number }
    for (; inOrder[end]?.cluster === cluster; end += 1)
      if ((inOrder[end] as ShapedGlyph).advance > widest.advance) widest = inOrder[end] as ShapedGlyph
    widest.text = text.slice(cluster, inOrder[end]?.cluster)
    start = end
  }
}
