import { describe, expect, setSystemTime, test } from 'bun:test'
import { config } from '@/config/config'
import { renderCalendar } from '@/modules/gatherings/feeds/calendar/calendar'
import type { FeedEvent, FeedHead } from '@/modules/gatherings/feeds/feed'
import { readCalendar } from '../../../../support/rfc5545/calendar'
import { feedEvent, feedHead, venue } from './fixtures'

const render = async (events: FeedEvent[], head: Partial<FeedHead> = {}) =>
  readCalendar(await renderCalendar(feedHead(head), events))

/** The one event of a calendar. */
async function entry(event: Partial<FeedEvent>, head: Partial<FeedHead> = {}) {
  const { events } = await render([feedEvent(event)], head)
  expect(events).toHaveLength(1)
  const [{ values, zones }] = events as [(typeof events)[0]]
  return { values, zones }
}

describe('A calendar', () => {
  test('says of itself what clients need to subscribe', async () => {
    const { values, events, zones } = await render([], { title: 'Lisbon; Rust, folks' })
    expect(events).toEqual([])
    expect(zones).toEqual([])
    expect(values).toEqual({
      VERSION: '2.0',
      PRODID: '-//Folkmoot//Feeds//EN',
      CALSCALE: 'GREGORIAN',
      NAME: 'Lisbon; Rust, folks',
      'X-WR-CALNAME': 'Lisbon; Rust, folks',
      'X-WR-CALDESC': 'What happens next',
      URL: 'https://moot.example/',
      SOURCE: 'https://moot.example/feeds/events.ics',
      'REFRESH-INTERVAL': 'PT1H',
      'X-PUBLISHED-TTL': 'PT1H',
    })
  })

  test('names the zone of most of its events, and describes each that it uses once', async () => {
    const zones = ['Europe/Lisbon', 'Asia/Tokyo', 'Asia/Tokyo', 'UTC', 'Nowhere/Land', 'europe/berlin']
    const {
      values,
      zones: described,
      events,
    } = await render(zones.map((timezone) => feedEvent({ timezone })))
    expect(values['X-WR-TIMEZONE']).toBe('Asia/Tokyo')
    expect(described.map((zone) => zone.values.TZID)).toEqual([
      'Asia/Tokyo',
      'Europe/Berlin',
      'Europe/Lisbon',
    ])
    expect(events.map((event) => event.zones.DTSTART)).toEqual([
      ...['Europe/Lisbon', 'Asia/Tokyo', 'Asia/Tokyo', undefined, undefined, 'Europe/Berlin'],
    ])
  })

  test('is the same in bytes for the same events, whatever the clock says', async () => {
    const events = [feedEvent(), feedEvent({ status: 'cancelled' })]
    const first = await renderCalendar(feedHead(), events)
    setSystemTime(new Date('2031-01-01T00:00:00Z'))
    try {
      expect(await renderCalendar(feedHead(), events)).toBe(first)
    } finally {
      setSystemTime()
    }
  })
})

describe('An event in a calendar', () => {
  test('has a name, times and an address that stay', async () => {
    const event = feedEvent({ sequence: 4, tags: ['rust', 'a, b; c'] })
    const { values, zones } = await entry(event)
    expect(values).toEqual({
      UID: `${event.id}@${new URL(config.baseUrl).host}`,
      SEQUENCE: '4',
      DTSTAMP: '20270203T040506Z',
      'LAST-MODIFIED': '20270203T040506Z',
      CREATED: '20270102T030405Z',
      DTSTART: '20270506T183000',
      DTEND: '20270506T213000',
      SUMMARY: 'Rust evening',
      DESCRIPTION: `Talks and tea.\n\nGroup: Lisbon Rust\n\n${event.url}`,
      CATEGORIES: ['rust', 'a, b; c'],
      URL: event.url,
      STATUS: 'CONFIRMED',
      TRANSP: 'TRANSPARENT',
    })
    expect(zones).toEqual({ DTSTART: 'Europe/Lisbon', DTEND: 'Europe/Lisbon' })
  })

  test('says where it is', async () => {
    const place = venue({ address: 'Rua 1, 2º', city: 'Lisboa', postalCode: '1000', country: 'PT' })
    const { values } = await entry({ venue: { ...place, latitude: 38.7, longitude: -9.1234567 } })
    expect(values.LOCATION).toBe('Casa, Rua 1, 2º, Lisboa, 1000, PT')
    expect(values.GEO).toBe('38.7;-9.123457')
    const origin = await entry({ venue: venue({ latitude: 0, longitude: 1e-9 }) })
    expect(origin.values.GEO).toBe('0.000001;0.000001')
    expect((await entry({ venue: venue({ latitude: 5 }) })).values.GEO).toBeUndefined()
    expect((await entry({ eventType: 'online' })).values.LOCATION).toBe('Online')
    expect((await entry({})).values.LOCATION).toBeUndefined()
  })

  test('stays when it is cancelled, with the reason first, and takes nobody’s time', async () => {
    const event = feedEvent({ status: 'cancelled', cancelReason: 'The roof leaks.', answer: 'confirmed' })
    const { values } = await entry(event)
    expect(values.STATUS).toBe('CANCELLED')
    // Google shows nothing of STATUS.
    expect(values.SUMMARY).toBe('Cancelled: Rust evening')
    expect(values.TRANSP).toBe('TRANSPARENT')
    expect(values.DESCRIPTION).toBe(
      `Cancelled: The roof leaks.\n\nTalks and tea.\n\nGroup: Lisbon Rust\n\n${event.url}`,
    )
    const silent = await entry({ status: 'cancelled', description: null, url: 'https://moot.example/e' })
    expect(silent.values.DESCRIPTION).toBe('Cancelled.\n\nGroup: Lisbon Rust\n\nhttps://moot.example/e')
  })

  test('shows in a person’s own feed what they answered', async () => {
    const shown = async (answer: FeedEvent['answer']) => {
      const { values } = await entry({ answer })
      return [values.STATUS, values.TRANSP]
    }
    expect(await shown('confirmed')).toEqual(['CONFIRMED', 'OPAQUE'])
    expect(await shown('waitlisted')).toEqual(['TENTATIVE', 'OPAQUE'])
    expect(await shown(null)).toEqual(['CONFIRMED', 'TRANSPARENT'])
    const online = await entry({ onlineUrl: 'https://meet.example/a,b', url: 'https://moot.example/e' })
    expect(online.values.DESCRIPTION).toBe(
      'Talks and tea.\n\nOnline: https://meet.example/a,b\n\nGroup: Lisbon Rust\n\nhttps://moot.example/e',
    )
  })

  test('names the address to join online for those who have it, and none for a cancelled event', async () => {
    const onlineUrl = 'https://meet.example/a,b;c?x=1#z\r\nX:é'
    const { values } = await entry({ onlineUrl, answer: 'confirmed' })
    expect(values.CONFERENCE).toBe('https://meet.example/a%2Cb%3Bc?x=1#zX:%C3%A9')
    expect((await entry({ eventType: 'online' })).values.CONFERENCE).toBeUndefined()
    expect((await entry({ onlineUrl, status: 'cancelled' })).values.CONFERENCE).toBeUndefined()
  })

  test('has an address that is no text: nothing in it is escaped', async () => {
    const { values } = await entry({ url: 'https://moot.example/e;x,y\\z\r\nX:é' })
    expect(values.URL).toBe('https://moot.example/e%3Bx%2Cy%5Cz%0D%0AX:%C3%A9')
  })

  test('has an end after its start, where both fall into one second too', async () => {
    const startTime = new Date('2027-05-06T17:30:00.100Z')
    const { values } = await entry({ startTime, endTime: new Date('2027-05-06T17:30:00.200Z') })
    expect([values.DTSTART, values.DTEND]).toEqual(['20270506T183000', '20270506T183001'])
  })

  test('is written in UTC in an hour that happens twice, and in years that no zone is described for', async () => {
    const at = async (startTime: string, timezone = 'Europe/Berlin') =>
      (await entry({ startTime: new Date(startTime), timezone })).values.DTSTART
    expect(await at('2027-10-30T23:59:59Z')).toBe('20271031T015959')
    expect(await at('2027-10-31T00:00:00Z')).toBe('20271031T000000Z')
    expect(await at('2027-10-31T01:59:59Z')).toBe('20271031T015959Z')
    expect(await at('2027-10-31T02:00:00Z')).toBe('20271031T030000')
    expect(await at('1969-12-31T12:00:00Z')).toBe('19691231T120000Z')
    expect(await at('2060-12-31T12:00:00Z')).toBe('20601231T130000')
    expect(await at('2061-01-01T00:00:00Z')).toBe('20610101T000000Z')
    expect(await at('9998-12-31T12:00:00Z')).toBe('99981231T120000Z')
    expect(await at('2027-05-06T12:00:00Z', '+02:00')).toBe('20270506T120000Z')
    // It ends in the hour that happens twice.
    const { values } = await entry({ startTime: new Date('2027-10-30T22:30:00Z'), timezone: 'Europe/Berlin' })
    expect([values.DTSTART, values.DTEND]).toEqual(['20271030T223000Z', '20271031T013000Z'])
  })
})
