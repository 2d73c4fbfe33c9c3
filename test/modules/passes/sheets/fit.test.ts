import { beforeAll, describe, expect, test } from 'bun:test'
import { type Library, openLibrary } from '@/modules/passes/sheets/fonts/library'
import { type Block, fit, type Place } from '@/modules/passes/sheets/text/fit'
import { printable } from '@/modules/passes/sheets/text/printable'
import { paragraphOf } from '@/modules/passes/sheets/text/runs'
import { HOSTILE_TEXTS } from '../../../support/hostile-texts'
import { LONG_NAMES, NAMES } from './orders'

const PLACE: Place = { width: 160, height: 80, largest: 36, single: 28, whole: 9 }

let library: Library
const LONG_WORD = 'Donaudampfschifffahrtsgesellschaftskapitänskajütentürschlüssel'
const texts = [...NAMES, ...LONG_NAMES, LONG_WORD, ...HOSTILE_TEXTS]

beforeAll(async () => {
  library = await openLibrary([...texts, '\ufffd '].map((text) => [printable(text), 'bold'] as const))
})

const set = (text: string, place = PLACE): Block => fit(paragraphOf(printable(text), 'bold', library), place)
const linesOf = (block: Block) => block.lines.map(({ line }) => line.text)

describe('a fitted text', () => {
  test('is within its place, with all of its ink and all of its letters', () => {
    for (const text of texts)
      for (const place of [PLACE, { ...PLACE, width: 90, height: 40, largest: 24 }]) {
        const { lines, size, height } = set(text, place)
        expect(size).toBeGreaterThan(0)
        expect(height).toBeLessThanOrEqual(place.height + 0.01)
        for (const { line, baseline } of lines) {
          expect(line.width * size).toBeLessThanOrEqual(place.width + 0.01)
          expect(baseline - line.top * size).toBeGreaterThanOrEqual(-0.01)
          expect(baseline - line.bottom * size).toBeLessThanOrEqual(height + 0.01)
        }
        const shown = paragraphOf(printable(text), 'bold', library).text
        expect(
          lines
            .map(({ line }) => line.text)
            .join('')
            .replaceAll(' ', ''),
        ).toBe(shown.replaceAll(' ', ''))
      }
  })

  test('shrinks, then wraps between words, then inside of them', () => {
    expect(linesOf(set('Ada'))).toEqual(['Ada'])
    expect(set('Ada').size).toBe(PLACE.largest)
    expect(linesOf(set('Ada Lovel', { ...PLACE, single: 25 }))).toEqual(['Ada Lovel'])
    expect(linesOf(set('Ada Lovelace'))).toEqual(['Ada', 'Lovelace'])
    expect(linesOf(set('Müller-Lüdenscheidt'))).toEqual(['Müller-', 'Lüdenscheidt'])
    expect(linesOf(set('กิตติศักดิ์ น้ำเพชร'))).toEqual(['กิตติศักดิ์', 'น้ำเพชร'])
    expect(linesOf(set('x'.repeat(200))).length).toBeGreaterThan(3)
  })

  test('breaks no word that fits a line', () => {
    for (let width = 90; width <= 160; width += 10) {
      const block = set(`Senior ${LONG_WORD} Professor Junior`, { ...PLACE, width })
      const words = linesOf(block).join(' ').split(' ')
      for (const word of ['Senior', 'Professor', 'Junior']) expect(words).toContain(word)
      expect(words).not.toContain(LONG_WORD)
    }
  })

  test('has its words in the order in which they are read', () => {
    const said = (text: string) =>
      set(text, { ...PLACE, single: 1 }).lines.flatMap(({ line }) =>
        line.runs.flatMap(({ glyphs }) => glyphs.toSorted((a, b) => a.x - b.x).map((glyph) => glyph.text)),
      )
    expect(said('Ada Byron').join('')).toBe('Ada Byron')
    expect(said('דוד בן גוריון').toReversed().join('')).toBe('דוד בן גוריון')
  })

  test('starts on the side where it is read from', () => {
    expect(set('محمد').isRightToLeft).toBe(true)
    expect(set('Ada').isRightToLeft).toBe(false)
  })
})

describe('a paragraph', () => {
  const facesOf = (text: string) => [
    ...new Set(paragraphOf(text, 'bold', library).clusters.map(({ face }) => face.name)),
  ]

  test('takes Han characters from the font of their neighbours', () => {
    expect(facesOf('王小明')).toEqual(['NotoSansSC'])
    expect(facesOf('山田太郎さん')).toEqual(['NotoSansJP'])
    expect(facesOf('김민준')).toEqual(['NotoSansKR'])
  })

  test('tells what no font has, leaves pictures out and shows a sign for letters', () => {
    const rocket = paragraphOf('Ada 🚀 Smith', 'bold', library)
    expect([rocket.text, rocket.missing]).toEqual(['Ada Smith', ['🚀']])
    expect(paragraphOf('🚀 Ada 🚀 🚀', 'bold', library).text).toBe('Ada')
    const javanese = paragraphOf('ꦄꦤ', 'bold', library)
    expect([javanese.text, javanese.missing]).toEqual(['\ufffd\ufffd', ['ꦄ', 'ꦤ']])
  })

  test('orders both directions as they are read', () => {
    const { clusters } = paragraphOf('陳 Sarah (سارة)', 'bold', library)
    expect(clusters.map(({ level }) => level)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0])
  })
})
