import { describe, expect, test } from 'bun:test'
import { translated } from '@/web/error-page'
import { LANGUAGES } from '@/words/language'
import { wordsIn } from '@/words/words'
import { refusalsInSource } from './refusals-in-source'

/** Sentences that are put together elsewhere, or that only a program can meet. */
const NOT_SENTENCES = new Set(['The body 7', '7 7'])

const REFUSALS = refusalsInSource()

/** Names of fields, types and protocols: words of the API, not of pages. */
const MACHINE_WORDS =
  /[a-z][A-Z]|[a-z]_[a-z]|\b(?:slugs?|urlname|ids?|IANA|Unicode|cursor|scopes?|body|client|object|list of|true or false)\b|GET \/|form-data|urlencoded|\d\d:\d\d/

describe('in English', () => {
  const { errors } = wordsIn('en')
  const onPage = (text: string) => translated(text, errors) ?? text

  test('no refusal on a page speaks the language of the API', () => {
    const machine = REFUSALS.filter(
      ({ text }) => !NOT_SENTENCES.has(text) && MACHINE_WORDS.test(onPage(text)),
    )
    expect(machine).toEqual([])
  })

  test.each([
    'must be a time such as 2026-05-01T18:30:00Z',
    'must be a UUID such as 01890000-0000-7000-8000-000000000000',
    'must be true or false',
    'must be a list of 1 to 100 items',
    'must not repeat an item',
    'must be one of physical, online, hybrid',
  ])('nor does “%s”, which schemas make', (text) => expect(onPage(text)).not.toMatch(MACHINE_WORDS))
})

describe.each(LANGUAGES.filter((language) => language !== 'en'))('in %s', (language) => {
  const { errors } = wordsIn(language)

  test('every refusal that stands in the source has its sentence', () => {
    const found = REFUSALS
    expect(found.length).toBeGreaterThan(150)
    const unsaid = found.filter(
      ({ text }) => !NOT_SENTENCES.has(text) && translated(text, errors) === undefined,
    )
    expect(unsaid).toEqual([])
  })

  test('no sentence has outlived its English one', () => {
    const english = new Set(REFUSALS.map(({ text }) => text))
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
