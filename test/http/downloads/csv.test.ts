import { describe, expect, test } from 'bun:test'
import { csvRow } from '@/core/csv'

describe('a line of a table', () => {
  test('is as RFC 4180 says', () => {
    expect(csvRow(['a', null, 5, -5, true, new Date(0)])).toBe('a,,5,-5,true,1970-01-01T00:00:00.000Z\r\n')
    expect(csvRow(['a,b', 'say "hi"', 'two\nlines', ' edge', ''])).toBe(
      '"a,b","say ""hi""","two\nlines"," edge",\r\n',
    )
  })

  test('does nothing when a spreadsheet opens it', () => {
    for (const formula of [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      '\n=1',
      '＝1',
      '＋1',
      '－1',
      '＠1',
    ]) {
      const cell = csvRow([formula]).replace(/^"/, '')
      expect([formula, cell.startsWith("'")]).toEqual([formula, true])
    }
    expect(csvRow(['=HYPERLINK("http://x";"y")'])).toBe(`"'=HYPERLINK(""http://x"";""y"")"\r\n`)
    // Where the list separator is a semicolon, this would be two cells.
    expect(csvRow(['Ann', 'x;=cmd'])).toBe(`Ann,"x;'=cmd"\r\n`)
    expect(csvRow(["Ann-Marie O'Neil", 'a=b', 'me@home'])).toBe("Ann-Marie O'Neil,a=b,me@home\r\n")
  })
})
