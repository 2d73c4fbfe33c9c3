import type { Face } from '../fonts/face'
import { type Line, lineOf, textOf } from './lines'
import type { Cluster, Paragraph } from './runs'

/** Lines in one size; `height` runs from the topmost to the lowest ink. */
export type Block = {
  lines: { line: Line; baseline: number }[]
  size: number
  height: number
  isRightToLeft: boolean
}

/**
 * A text box in points. A single line shrinks to `single` before it wraps between words, and words shrink to `whole` before they
 * break.
 */
export type Place = { width: number; height: number; largest: number; single: number; whole: number }

/** Line height in em, unless the ink needs more. */
const LEADING = 1.16
const BETWEEN = 0.08
const ROUNDS = 12
const JOINED = new Set(['Arabic', 'Devanagari', 'Bengali', 'Gujarati', 'Tamil', 'Telugu'])

/** Fits a text as large as possible: shrinks, then wraps, and never overflows. */
export function fit(paragraph: Paragraph, place: Place): Block {
  const only = lineOf(paragraph.clusters)
  const single = shrunk([only], place)
  if (single >= Math.min(place.single, place.largest) || paragraph.clusters.length < 2)
    return block([only], single, paragraph)
  let best = { lines: [only], size: single }
  for (const [pieces, enough] of waysToBreak(paragraph, place)) {
    const wrapped = wrap(pieces(), only, place)
    if (wrapped.size > best.size) best = wrapped
    if (best.size >= Math.min(enough, place.largest)) break
  }
  return block(best.lines, best.size, paragraph)
}

/**
 * Ways to wrap, least intrusive first, each with the size that makes the next one unnecessary. A word breaks if it is wider than a
 * line.
 */
const waysToBreak = (
  { clusters }: Paragraph,
  { width, single, whole }: Place,
): [() => Cluster[][], number][] => [
  [() => piecesOf(clusters, false), single],
  [() => piecesOf(clusters, true), whole],
  [
    () =>
      piecesOf(clusters, true).flatMap((piece) =>
        inkOf(piece) > width / whole ? piece.map((one) => [one]) : [piece],
      ),
    0,
  ],
]

/** The largest size at which the lines fit. */
function shrunk(lines: Line[], { width, height, largest }: Place): number {
  const widest = Math.max(...lines.map((line) => line.width), 0.001)
  return Math.min(largest, width / widest, height / Math.max(stacked(lines).height, 0.001))
}

function wrap(pieces: Cluster[][], whole: Line, place: Place): { lines: Line[]; size: number } {
  const widths = pieces.map(widthOf)
  const inks = pieces.map((piece, index) => (endsInSpace(piece) ? inkOf(piece) : (widths[index] as number)))
  const leading = Math.max(LEADING, whole.top - whole.bottom + BETWEEN)
  let [low, high] = [0, place.largest]
  for (let round = 0; round < ROUNDS; round += 1) {
    const size = (low + high) / 2
    const rows = rowsOf(widths, inks, place.width / size)
    if (rows && (whole.top - whole.bottom + (rows.length - 1) * leading) * size <= place.height) low = size
    else high = size
  }
  const rows = low > 0 ? rowsOf(widths, inks, place.width / low) : undefined
  if (!rows) return { lines: [whole], size: 0 }
  // Widths were measured per piece; shaping whole lines gives the exact size.
  const lines = rows.map(([start, end]) => lineOf(trimmed(pieces.slice(start, end).flat())))
  return { lines, size: Math.min(low, shrunk(lines, place)) }
}

const measured = new WeakMap<Face, Map<string, number>>()

/** Letters that do not join are measured once each: exact enough to find line breaks. */
function widthOf(piece: Cluster[]): number {
  if (piece.some(({ script }) => JOINED.has(script))) return lineOf(piece).width
  return piece.reduce((sum, cluster) => {
    const known = measured.get(cluster.face) ?? new Map<string, number>()
    measured.set(cluster.face, known)
    const width = known.get(cluster.text) ?? lineOf([cluster]).width
    known.set(cluster.text, width)
    return sum + width
  }, 0)
}

const endsInSpace = (piece: Cluster[]) => piece.at(-1)?.text === ' '

/** Trailing spaces at the end of a line have no width. */
const inkOf = (piece: Cluster[]) => widthOf(endsInSpace(piece) ? trimmed(piece) : piece)

/** Greedy line filling; undefined if a single piece is too wide. */
function rowsOf(widths: number[], inks: number[], width: number): [number, number][] | undefined {
  const rows: [number, number][] = []
  let [start, used] = [0, 0]
  for (const [index, piece] of widths.entries()) {
    const ink = inks[index] as number
    if (ink > width) return undefined
    if (index > start && used + ink > width) {
      rows.push([start, index])
      start = index
      used = 0
    }
    used += piece
  }
  return [...rows, [start, widths.length]]
}

function trimmed(clusters: Cluster[]): Cluster[] {
  const isSeen = ({ text }: Cluster) => text !== ' '
  const first = clusters.findIndex(isSeen)
  return first < 0 ? [] : clusters.slice(first, clusters.findLastIndex(isSeen) + 1)
}

const words = new Intl.Segmenter('und', { granularity: 'word' })
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Break opportunities: after spaces and hyphens, and between words of scripts without spaces. */
function piecesOf(clusters: readonly Cluster[], betweenWords: boolean): Cluster[][] {
  const ends = new Set<number>()
  for (const { index, segment } of betweenWords ? words.segment(textOf(clusters)) : [])
    if (UNSPACED.test(segment)) ends.add(index).add(index + segment.length)
  const pieces: Cluster[][] = [[]]
  let at = 0
  for (const [index, cluster] of clusters.entries()) {
    pieces.at(-1)?.push(cluster)
    at += cluster.text.length
    const next = clusters[index + 1]
    if (!next || next.text === ' ') continue
    if (cluster.text === ' ' || /^[-\u2010\u2013/]$/.test(cluster.text) || ends.has(at)) pieces.push([])
  }
  return pieces
}

function stacked(lines: Line[]): { baselines: number[]; height: number } {
  const first = lines[0] as Line
  const baselines = [first.top]
  for (const [index, line] of lines.entries()) {
    if (index === 0) continue
    const above = lines[index - 1] as Line
    const step = Math.max(LEADING, line.top - above.bottom + BETWEEN)
    baselines.push((baselines[index - 1] as number) + step)
  }
  return { baselines, height: (baselines.at(-1) as number) - (lines.at(-1) as Line).bottom }
}

function block(lines: Line[], size: number, { isRightToLeft }: Paragraph): Block {
  const { baselines, height } = stacked(lines)
  return {
    lines: lines.map((line, index) => ({ line, baseline: (baselines[index] as number) * size })),
    size,
    height: height * size,
    isRightToLeft,
  }
}
