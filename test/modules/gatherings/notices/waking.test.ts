import { expect, test } from 'bun:test'
import { wakingTime } from '@/modules/gatherings/notices/remind'

const LONG_AGO = new Date(0)

/** From a day in June, written on the clocks of Berlin, which are two hours ahead. */
const berlin = (clock: string) => new Date(`2027-06-${clock}:00+02:00`)

const wakes = (at: Date, timezone: string | null, notBefore = LONG_AGO) =>
  wakingTime(at, timezone, notBefore).toISOString()

test.each([
  ['10T18:30', '10T18:30'],
  ['10T08:00', '10T08:00'],
  ['10T20:59', '10T20:59'],
  ['10T21:00', '10T20:30'],
  ['10T23:59', '10T20:30'],
  ['10T00:00', '10T08:00'],
  ['10T07:59', '10T08:00'],
])('What would come at %s comes at %s', (wanted, comes) => {
  expect(wakes(berlin(wanted), 'Europe/Berlin')).toBe(berlin(comes).toISOString())
})

test.each([
  ['in the middle of the day at once', '11T14:10', '11T14:10'],
  ['late in the evening on the next morning', '11T22:00', '12T08:00'],
  ['at night in the morning', '11T03:00', '11T08:00'],
])('What is late comes %s', (_, late, comes) => {
  expect(wakes(berlin('10T18:30'), 'Europe/Berlin', berlin(late))).toBe(berlin(comes).toISOString())
})

test('What the evening before would be too late for comes in the morning', () => {
  expect(wakes(berlin('10T23:00'), 'Europe/Berlin', berlin('10T22:00'))).toBe(
    berlin('11T08:00').toISOString(),
  )
})

test('Clocks are those of the zone, also on the day on which they are changed', () => {
  // In Berlin it is 14:00, in Los Angeles 5:00.
  expect(wakes(berlin('10T14:00'), 'America/Los_Angeles')).toBe('2027-06-10T15:00:00.000Z')
  // Summer time began at two that night.
  expect(wakes(new Date('2027-03-28T00:30:00Z'), 'Europe/Berlin')).toBe('2027-03-28T06:00:00.000Z')
  expect(wakes(new Date('2027-06-10T23:00:00Z'), 'No/Where')).toBe('2027-06-10T20:30:00.000Z')
  expect(wakes(new Date('2027-06-10T23:00:00Z'), null)).toBe('2027-06-10T20:30:00.000Z')
})
