import { describe, expect, test } from 'bun:test'
import { renderCalendar } from '@/modules/gatherings/feeds/calendar/calendar'
import type { FeedEvent } from '@/modules/gatherings/feeds/feed'
import { readCalendar } from '../../../../support/rfc5545/calendar'
import { sampled } from '../../../../support/sampling'
import { feedEvent, feedHead } from './fixtures'
import { readWithIcalJs } from './ical-js'
import { changesOf, eventsAround, secondsOf, ZONES } from './zones'

/** ical.js finds the moments of these events by the zones that the calendar describes. */
async function expectRightTimes(events: FeedEvent[]) {
  const text = await renderCalendar(feedHead(), events)
  expect(readWithIcalJs(text).map(({ start, end }) => [start, end])).toEqual(
    events.map(({ startTime, overAt }) => [secondsOf(startTime), secondsOf(overAt)]),
  )
  return readCalendar(text)
}

describe('The zones of a calendar', () => {
  for (const zone of sampled(ZONES, 8))
    test(`place events around every change of ${zone} from 1970 to 2060`, async () => {
      const changes = changesOf(zone, 1970, 2060)
      const events = eventsAround(zone, [
        ...changes,
        Date.UTC(1970, 0, 3),
        Date.UTC(2026, 5, 1),
        Date.UTC(2060, 11, 1),
      ])
      await expectRightTimes(events)
      // Each year by itself: what it needs is there without the others.
      for (let from = 1970; from <= 2060; from += 9) {
        const year = events.filter(({ startTime }) => startTime.getUTCFullYear() === from)
        if (year.length > 0) await expectRightTimes(year)
      }
    })

  test('are right for every zone there is, in the years that feeds are about', async () => {
    for (const zone of sampled(Intl.supportedValuesOf('timeZone'), 80))
      await expectRightTimes(eventsAround(zone, [...changesOf(zone, 2026, 2027), Date.UTC(2026, 5, 1)]))
  })

  test('are short, and the same for feeds of other years under the same law', async () => {
    const zoneOf = async (timezone: string, ...years: number[]) => {
      const events = years.map((year) => feedEvent({ timezone, startTime: new Date(Date.UTC(year, 6, 1)) }))
      const text = await renderCalendar(feedHead(), events)
      return text.slice(text.indexOf('BEGIN:VTIMEZONE'), text.indexOf('BEGIN:VEVENT'))
    }
    const lines = (...lines: string[]) => lines.map((line) => `${line}\r\n`).join('')
    expect(await zoneOf('Europe/Berlin', 2027)).toBe(
      lines(
        ...['BEGIN:VTIMEZONE', 'TZID:Europe/Berlin'],
        ...['BEGIN:DAYLIGHT', 'DTSTART:19810329T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200'],
        ...['RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'END:DAYLIGHT'],
        ...['BEGIN:STANDARD', 'DTSTART:19961027T030000', 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100'],
        ...['RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU', 'END:STANDARD', 'END:VTIMEZONE'],
      ),
    )
    expect(await zoneOf('Europe/Berlin', 2010, 2058)).toBe(await zoneOf('Europe/Berlin', 2027))
    expect(await zoneOf('America/Sao_Paulo', 2027)).toBe(
      lines(
        ...['BEGIN:VTIMEZONE', 'TZID:America/Sao_Paulo'],
        ...['BEGIN:STANDARD', 'DTSTART:20190217T000000', 'TZOFFSETFROM:-0200', 'TZOFFSETTO:-0300'],
        ...['END:STANDARD', 'END:VTIMEZONE'],
      ),
    )
    for (const zone of ZONES) expect((await zoneOf(zone, 2026, 2027)).length).toBeLessThan(1000)
  })
})
