import { expect, test } from 'bun:test'
import { HtmlValidate } from 'html-validate'
import { tidy } from '@/mail/compose'
import { plainForm, prettyForm } from '@/mail/layout'
import type { Written } from '@/mail/letter'
import { LANGUAGES } from '@/words/language'
import { wordsIn } from '@/words/words'

const validator = new HtmlValidate({
  extends: ['html-validate:standard', 'html-validate:a11y'],
  rules: {
    // Readers of mail take a sheet away, so styles stand at their elements.
    'no-inline-style': 'off',
    'no-trailing-whitespace': 'off',
    'long-title': 'off',
    // Some of them show a letter inside a page of theirs, which has a main part already.
    'prefer-native-element': 'off',
  },
})

const HOSTILE = '"><script>alert(1)</script>\u202e & <b>'

/** A letter with every kind of part. */
const letter = (text: string): Written => ({
  subject: `About ${text}`,
  parts: [
    { say: text },
    { quiet: text },
    { button: text, url: 'https://folkmoot.example/events?a=1&b=2' },
    { code: '123456' },
    { facts: [['When', text]] },
    { list: [{ text, about: text, url: 'https://folkmoot.example/' }, { text }] },
  ],
})

const foot = { reason: 'You asked for it.', unsubscribeUrl: 'https://folkmoot.example/unsubscribe/x' }

test('a letter is well-formed in every language, and fetches nothing', async () => {
  for (const language of LANGUAGES)
    for (const text of ['A plain evening', HOSTILE, 'ערב טוב', 'x'.repeat(300)]) {
      const page = prettyForm(letter(text), foot, wordsIn(language))
      const { results } = await validator.validateString(page)
      expect(
        results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => [ruleId, message])),
      ).toEqual([])
      expect(page).not.toMatch(/<script|<img|<link|@import|url\(|src=/)
    }
})

test('what people wrote stands in it as text, and the plain form says the same', () => {
  const words = wordsIn('en')
  const page = prettyForm(letter(HOSTILE), foot, words)
  expect(page.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(5)
  const plain = plainForm(letter('A plain evening'), foot, words)
  for (const said of [
    'About A plain evening',
    '123456',
    'When: A plain evening',
    '?a=1&b=2',
    foot.unsubscribeUrl,
  ])
    expect(plain).toContain(said)
})

test('no text in it begins a line of its own or turns what follows it, in any part', () => {
  const forged = ['\n', '\r\n', '\v', '\u0085', '\u2028', '\u2029'].map((end) => `${end}Forged`).join('')
  const turned = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'
  const written = tidy({
    ...letter(`Ada${forged}${turned}!`),
    title: `A${forged}${turned}`,
    reason: `B${forged}`,
  })
  const whole = `Ada${' Forged'.repeat(6)}!`
  expect(written).toEqual({
    ...letter(whole),
    title: `A${' Forged'.repeat(6)}`,
    reason: `B${' Forged'.repeat(6)}`,
  })
  // What joins letters of one word stays.
  expect(tidy(letter('می\u200cخواهم 👩\u200d🚀'))).toEqual(letter('می\u200cخواهم 👩\u200d🚀'))
})
