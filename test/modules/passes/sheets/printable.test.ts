import { describe, expect, test } from 'bun:test'
import { printable } from '@/modules/passes/sheets/text/printable'
import { HOSTILE_TEXTS } from '../../../support/hostile-texts'

describe('a printable text', () => {
  test('is one line of whole characters without controls, for any input', () => {
    for (const text of HOSTILE_TEXTS) {
      const shown = printable(text)
      expect(shown).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
      expect(shown.isWellFormed()).toBe(true)
      expect([...shown].length).toBeLessThanOrEqual(300)
    }
  })

  test('cannot be turned around', () => {
    expect(printable('\u202eevil\u202c name')).toBe('evil name')
  })

  test('keeps joiners, which Persian and Devanagari names need', () => {
    expect(printable('می\u200cخواهم')).toBe('می\u200cخواهم')
  })

  test('says that it was longer', () => {
    expect(printable('a'.repeat(10_000))).toBe(`${'a'.repeat(299)}…`)
  })
})
