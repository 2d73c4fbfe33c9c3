import { describe, expect, test } from 'bun:test'
import { translated } from '@/web/error-page'
import { LANGUAGES } from '@/words/language'
import { wordsIn } from '@/words/words'
import { refusalsInSource } from './refusals-in-source'

/** Sentences that are put together elsewhere, or that only a program can meet. */
const NOT_SENTENCES = new Set(['The body 7', '7 7'])

describe.each(LANGUAGES.filter((language) => language !== 'en'))('in %s', (language) => {
  const { errors } = wordsIn(language)

  test('every refusal that stands in the source has its sentence', () => {
    const found = refusalsInSource()
    expect(found.length).toBeGreaterThan(150)
    const unsaid = found.filter(
      ({ text }) => !NOT_SENTENCES.has(text) && translated(text, errors) === undefined,
    )
    expect(unsaid).toEqual([])
  })

  test('no sentence has outlived its English one', () => {
    const english = new Set(refusalsInSource().map(({ text }) => text))
    const outlived = Object.keys(errors.said).filter(
      (text) => text.endsWith(' not found') && !english.has(text),
    )
    expect(outlived).toEqual([])
  })

  test('values are told, and what a field should be', () => {
    const say = (text: string) => translated(text, errors)
    expect(say('Too many requests: try again in 40 seconds')).toContain('in 40 Sekunden')
    expect(say('Too many attempts to sign in failed: try again in 1 second')).toContain('in einer Sekunde')
    expect(say('must be 1 to 80 characters on one line')).toBe('muss 1 bis 80 Zeichen in einer Zeile haben')
    expect(say('must be at most 500 characters')).toBe('darf höchstens 500 Zeichen haben')
    expect(say('must be a whole number from 1 to 10')).toBe('muss eine Zahl von 1 bis 10 sein')
  })
})
