import { Buffer, ClusterLevel, Direction, shape } from 'harfbuzzjs'
import type { Face, Ink } from '../fonts/face'
import { type Cluster, inVisualOrder, type Run, runsOf, TAGS } from './runs'

/** A positioned glyph. Lengths in this file are in em. */
export type Glyph = { id: number; x: number; y: number; text: string }

export type ShapedRun = { face: Face; glyphs: Glyph[] }

/** A shaped line: its width, and its ink above and below the baseline. */
export type Line = { text: string; runs: ShapedRun[]; width: number; top: number; bottom: number }

const buffer = new Buffer()

/** Scripts whose vowel signs advance and so carry their own text; elsewhere the base letter carries its marks. */
const BY_CHARACTER =
  /[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Thai}]/u

/** Shapes a line: joins, reorders and positions its glyphs. */
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
  // Overhanging ink counts towards the width.
  if (left < 0) for (const { glyphs } of line.runs) for (const glyph of glyphs) glyph.x -= left
  line.width = Math.max(pen, right) - left
  return line
}

export const textOf = (clusters: readonly Cluster[]) => clusters.map(({ text }) => text).join('')

type ShapedGlyph = { id: number; text: string; advance: number; dx: number; dy: number; ink: Ink | undefined }

const shapedWords = new WeakMap<Face, Map<string, ShapedGlyph[]>>()

/** Words and spaces of a run, left to right. Shaped words are cached: names repeat them. */
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
  // Digits and punctuation have no script of their own and are shaped with their neighbors.
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

/** Within a cluster, the widest glyph carries the text. */
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
