import bidiFactory from 'bidi-js'
import type { Face } from '../fonts/face'
import type { Weight } from '../fonts/families'
import type { Library } from '../fonts/library'

const bidi = bidiFactory()
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Supported scripts with their ISO 15924 tags. */
export const TAGS = {
  ...{ Latin: 'Latn', Greek: 'Grek', Cyrillic: 'Cyrl', Devanagari: 'Deva', Arabic: 'Arab' },
  ...{ Hebrew: 'Hebr', Thai: 'Thai', Han: 'Hani', Hiragana: 'Hira', Katakana: 'Kana', Hangul: 'Hang' },
  ...{ Bengali: 'Beng', Gujarati: 'Gujr', Tamil: 'Taml', Telugu: 'Telu' },
  ...{ Armenian: 'Armn', Georgian: 'Geor', Ethiopic: 'Ethi' },
}

/** Empty before the first letter. */
export type Script = keyof typeof TAGS | ''

const SCRIPTS = (Object.keys(TAGS) as (keyof typeof TAGS)[]).map(
  (script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')] as const,
)

/** Joiners and variation selectors: invisible on their own. */
const GUIDE = /^(?:\u034f|\u200c|\u200d|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])$/u
const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u
const SUBSTITUTE = '\ufffd'

/** Fast path: each character is its own cluster, left to right. */
const SIMPLE = /^[\x20-\x7e\u00a1-\u02ff\u0386-\u0482\u048a-\u052f\u1e00-\u1fff]*$/
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

/** The shaper's unit: one font, script and direction. */
export type Run = { face: Face; text: string; script: Script; level: number }

export type Cluster = { text: string; face: Face; script: Script; level: number }

export type Paragraph = { text: string; clusters: Cluster[]; isRightToLeft: boolean; missing: string[] }

/** Assigns each grapheme cluster a font and a direction; replaces and reports those without a glyph. */
export function paragraphOf(text: string, weight: Weight, library: Library): Paragraph {
  const missing = new Set<string>()
  const clusters: Cluster[] = []
  const facesFor = library.facesFor(text, weight)
  let script: Script = ''
  let shown = ''
  for (const segment of clustersOf(text)) {
    const previous = clusters.at(-1)?.face
    const { face, text: kept } = faceFor(segment, previous, facesFor, missing)
    if (!face || kept === '') continue
    // A removed emoji leaves no double space.
    if (kept === ' ' && (shown === '' || shown.endsWith(' '))) continue
    script = scriptOf(kept) ?? script
    clusters.push({ text: kept, face, script, level: 0 })
    shown += kept
  }
  if (clusters.at(-1)?.text === ' ') clusters.pop()
  shown = shown.trimEnd()
  const isRightToLeft = RIGHT_TO_LEFT.test(shown) && setLevels(clusters, shown)
  return { text: shown, clusters, isRightToLeft, missing: [...missing] }
}

/** Sets bidi levels; returns true if the paragraph is right to left. */
function setLevels(clusters: Cluster[], text: string): boolean {
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text)
  let at = 0
  for (const cluster of clusters) {
    cluster.level = levels[at] ?? 0
    at += cluster.text.length
  }
  return ((paragraphs[0]?.level ?? 0) & 1) === 1
}

const clustersOf = (text: string): Iterable<string> =>
  SIMPLE.test(text) ? text : Array.from(graphemes.segment(text), ({ segment }) => segment)

const scripts = new Map<string, Script | undefined>()

function scriptOf(cluster: string): Script | undefined {
  if (scripts.has(cluster)) return scripts.get(cluster)
  const script = SCRIPTS.find(([, pattern]) => pattern.test(cluster))?.[0]
  // Caches only single characters: longer clusters are unbounded.
  if (cluster.length === 1) scripts.set(cluster, script)
  return script
}

function faceFor(
  cluster: string,
  previous: Face | undefined,
  facesFor: (character: number) => readonly Face[],
  missing: Set<string>,
): { face: Face | undefined; text: string } {
  const characters = cluster.length === 1 ? [cluster] : [...cluster]
  const whole = faceOfAll(characters, previous, facesFor)
  if (whole) return { face: whole, text: cluster }
  // Emoji are removed whole; letters keep the marks that their font has.
  if (characters.some((character) => PICTURE.test(character))) {
    missing.add(cluster)
    return { face: undefined, text: '' }
  }
  const [base, ...marks] = characters as [string, ...string[]]
  const face = faceOfAll([base], previous, facesFor)
  if (!face) {
    for (const character of characters) missing.add(character)
    return { face: facesFor(0x20)[0], text: SUBSTITUTE }
  }
  const kept = marks.filter((mark) => GUIDE.test(mark) || face.hasCharacter(mark.codePointAt(0) as number))
  for (const mark of marks) if (!kept.includes(mark)) missing.add(mark)
  return { face, text: [base, ...kept].join('') }
}

function faceOfAll(
  characters: string[],
  previous: Face | undefined,
  facesFor: (character: number) => readonly Face[],
): Face | undefined {
  const seen = characters.length === 1 ? characters : characters.filter((character) => !GUIDE.test(character))
  if (seen.length === 0) return previous
  const hasAll = (face: Face) =>
    seen.every((character) => face.hasCharacter(character.codePointAt(0) as number))
  const isNeutral = scriptOf(characters.join('')) === undefined
  // Neutral characters stay with the letters before them, so that the shaper sees whole phrases.
  if (isNeutral && previous && hasAll(previous)) return previous
  for (const character of seen)
    for (const face of facesFor(character.codePointAt(0) as number)) if (hasAll(face)) return face
  return undefined
}

/** In logical order. */
export function runsOf(clusters: readonly Cluster[]): Run[] {
  const runs: Run[] = []
  for (const { text, face, script, level } of clusters) {
    const last = runs.at(-1)
    if (
      last &&
      last.face === face &&
      last.level === level &&
      (last.script === script || last.script === '')
    ) {
      last.text += text
      last.script = script
    } else runs.push({ face, text, script, level })
  }
  return runs
}

/** Left to right, by rule L2 of the Unicode Bidirectional Algorithm. */
export function inVisualOrder<T extends { level: number }>(runs: readonly T[]): T[] {
  const ordered = [...runs]
  const highest = Math.max(0, ...runs.map(({ level }) => level))
  for (let level = highest; level > 0; level -= 1)
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start
      while (end < ordered.length && (ordered[end] as T).level >= level) end += 1
      if (end > start + 1) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse())
      start = end
    }
  return ordered
}
