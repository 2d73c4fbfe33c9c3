import { beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { renderCalendar } from '@/modules/gatherings/feeds/calendar/calendar'
import type { FeedEvent } from '@/modules/gatherings/feeds/feed'
import { feedEvent, feedHead, venue } from '../modules/gatherings/feeds/calendar/fixtures'
import { type ReadEvent, readWithIcalJs } from '../modules/gatherings/feeds/calendar/ical-js'
import { randomEvent } from '../modules/gatherings/feeds/calendar/random-events'
import { changesOf, eventsAround, secondsOf, ZONES } from '../modules/gatherings/feeds/calendar/zones'
import { HOSTILE_TEXTS } from '../support/hostile-texts'
import { demandPackage, hasModule, PYTHON } from '../support/packages'
import { seededRandom } from '../support/random'
import { run } from './run'

/** Laws of which every release of the tz database has another opinion. */
const UNSETTLED = ['Africa/Casablanca', 'Asia/Gaza']

beforeAll(() => demandPackage('python3-icalendar', hasModule('icalendar, dateutil')))

type Read = ReadEvent & { inDatabase: [number, number] }

const readWithPython = async (text: string): Promise<Read[]> =>
  JSON.parse(await run([PYTHON, join(import.meta.dir, 'read-calendar.py')], { input: text }))

/**
 * Debian's release of icalendar (4.0.3) undoes escapes one kind after the other, so that a backslash before an n becomes a line end, and splits
 * categories at escaped commas too; it also decodes what it takes for its own marks, %2C and the like. But for these nothing may differ.
 */
const spared = (text: string) =>
  text.replace(/%(?:2C|3A|3B|5C)/g, decodeURIComponent).replace(/\\[nN]|\n|\\/g, '')

const comparable = ({ categories, ...event }: ReadEvent) => ({
  ...event,
  summary: spared(event.summary),
  description: spared(event.description),
  location: event.location === null ? null : spared(event.location),
  url: spared(event.url),
  conference: event.conference === null ? null : spared(event.conference),
  categories: spared(categories.join()),
})

async function expectSame(events: FeedEvent[]) {
  const text = await renderCalendar(feedHead(), events)
  const read = await readWithPython(text)
  expect(read.map(({ inDatabase, ...event }) => comparable(event))).toEqual(
    readWithIcalJs(text).map(comparable),
  )
  return read
}

describe('python3-icalendar reads the same events as ical.js', () => {
  test('for any input', async () => {
    const read = await expectSame(
      HOSTILE_TEXTS.map((text) =>
        feedEvent({ title: text, description: text, tags: [text, 'rust'], venue: venue({ name: text }) }),
      ),
    )
    expect(read).toHaveLength(HOSTILE_TEXTS.length)
  })

  test('for random input', async () => {
    const random = seededRandom()
    const events = Array.from({ length: 1000 }, () => randomEvent(random))
    expect(await expectSame(events)).toHaveLength(1000)
  })
})

describe('Times are those of the tz database, and of the zones in the calendar', () => {
  const zones = ZONES.filter((zone) => !UNSETTLED.includes(zone))
  test('in forty zones and more', () => expect(zones.length).toBeGreaterThanOrEqual(40))

  for (const zone of zones)
    test(`around the changes of ${zone}`, async () => {
      const events = eventsAround(zone, changesOf(zone, 1970, 2037))
      const read = await readWithPython(await renderCalendar(feedHead(), events))
      const times = events.map(({ startTime, overAt }) => [secondsOf(startTime), secondsOf(overAt)])
      expect(read.map(({ start, end }) => [start, end])).toEqual(times)
      expect(read.map(({ inDatabase }) => inDatabase as number[])).toEqual(times)
    })
})
