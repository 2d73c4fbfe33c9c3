import { describe, expect, test } from 'bun:test'
import { dayWords, localDay, longWhen, momentOf, momentWords, type Times, untilWordsChange } from '@/web/when'
import { wordsIn } from '@/words/words'

const [en, de] = [wordsIn('en'), wordsIn('de')]
const at = new Date('2026-11-16T12:00:00Z')

const times = (start: string, end: string | null, timezone: string | null = 'Europe/Berlin'): Times => ({
  startTime: new Date(start),
  endTime: end === null ? null : new Date(end),
  timezone,
})

const shown = (given: Times, words = en) => {
  const { day, clock } = longWhen(given, words, at)
  return [day.text, clock.text].map((text) => text.replace(/<[^>]*>/g, ''))
}

describe('words of time', () => {
  test('call near days by their name, in the zone of the event', () => {
    const late = new Date('2026-11-16T23:30:00Z')
    expect(momentWords(late, 'Europe/Berlin', en, at)).toBe('Tomorrow, 00:30')
    expect(momentWords(late, 'UTC', en, at)).toBe('Today, 23:30 UTC')
    expect(momentWords(late, 'America/New_York', de, at)).toBe('Heute, 18:30 Uhr')
    expect(momentOf(late, 'Europe/Berlin', at, de)).toBe('morgen, 00:30 Uhr')
    expect(dayWords(new Date('2026-11-15T12:00:00Z'), 'UTC', de, { seenAt: at })).toBe('Gestern')
    expect(dayWords(new Date('2026-11-18T12:00:00Z'), 'UTC', en, { seenAt: at })).toBe('Wed 18 Nov')
    expect(dayWords(new Date('2027-01-02T12:00:00Z'), 'UTC', en, { seenAt: at })).toBe('Sat, 2 Jan 2027')
    expect(localDay(late, 'No/Such')).toBe('2026-11-16')
  })

  test('tell a night in one line, and days in two', () => {
    expect(shown(times('2026-11-20T17:30:00Z', '2026-11-20T20:00:00Z'))).toEqual([
      'Friday, 20 November 2026',
      '18:30\u00a0–\u2060\u00a021:00 CET',
    ])
    expect(shown(times('2026-11-17T20:00:00Z', '2026-11-18T02:00:00Z'), de)).toEqual([
      'Morgen, Dienstag, 17. November 2026',
      '21:00\u00a0–\u2060\u00a003:00 Uhr MEZ',
    ])
    expect(shown(times('2026-11-20T17:30:00Z', '2026-11-22T15:00:00Z'))).toEqual([
      'Friday, 20 November 2026, 18:30',
      'until Sunday, 22 November 2026, 16:00 CET',
    ])
    expect(shown(times('2026-11-20T17:30:00Z', null, null))[1]).toBe('17:30 UTC')
  })

  test('stay true until a day ends, or an event begins or is over', () => {
    const until = (seen: string, ...given: Times[]) =>
      new Date(untilWordsChange(given, undefined, new Date(seen))).toISOString()
    const far = times('2027-03-01T12:00:00Z', '2027-03-01T14:00:00Z')
    expect(until('2026-11-16T12:00:00Z', far)).toBe('2026-11-16T23:00:00.000Z')
    expect(until('2027-03-01T11:00:00Z', far)).toBe('2027-03-01T12:00:00.000Z')
    expect(until('2027-03-01T12:00:00Z', far)).toBe('2027-03-01T14:00:00.000Z')
    // Days of 23 and of 25 hours, asked about before and after the clocks change.
    expect(until('2026-03-28T23:30:00Z', far)).toBe('2026-03-29T22:00:00.000Z')
    expect(until('2026-10-24T22:30:00Z', far)).toBe('2026-10-25T23:00:00.000Z')
    expect(until('2026-10-25T12:30:00Z', far)).toBe('2026-10-25T23:00:00.000Z')
    const there = times('2027-03-01T12:00:00Z', null, 'Asia/Tokyo')
    expect(until('2026-11-16T12:00:00Z', far, there)).toBe('2026-11-16T15:00:00.000Z')
    expect(untilWordsChange([])).toBe(Number.POSITIVE_INFINITY)
  })
})
