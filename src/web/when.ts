import { DAY_MS, now } from '@/core/clock'
import { iso } from '@/core/shapes'
import { isTimeZone } from '@/core/time-zones'
import { type Language, LOCALES } from '@/words/language'
import type { Words } from '@/words/words'
import { type Html, html } from './html'

/** Start, end and zone. */
export type Times = { startTime: Date; endTime: Date | null; timezone: string | null }

/** The times of an API event. */
export const timesOf = (event: {
  dateTime: string
  endTime: string | null
  timezone: string | null
}): Times => ({
  startTime: new Date(event.dateTime),
  endTime: event.endTime === null ? null : new Date(event.endTime),
  timezone: event.timezone,
})

type Formats = Record<
  | 'day'
  | 'shortDay'
  | 'dayOfYear'
  | 'shortDayOfYear'
  | 'clock'
  | 'zoned'
  | 'zone'
  | 'shortZone'
  | 'month'
  | 'date'
  | 'stamp',
  Intl.DateTimeFormat
>

/** Creating a format takes longer than using it a hundred times, and each takes tens of kilobytes. */
const ZONES_MAX = 40
const made = new Map<string, Formats>()

function formatsOf(timeZone: string, language: Language): Formats {
  const key = `${language} ${timeZone}`
  let formats = made.get(key)
  if (formats === undefined) {
    const format = (options: Intl.DateTimeFormatOptions, locale = LOCALES[language]) =>
      new Intl.DateTimeFormat(locale, { ...options, timeZone })
    formats = {
      day: format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
      shortDay: format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }),
      dayOfYear: format({ weekday: 'long', day: 'numeric', month: 'long' }),
      shortDayOfYear: format({ weekday: 'short', day: 'numeric', month: 'short' }),
      clock: format({ hour: '2-digit', minute: '2-digit' }),
      zoned: format({ weekday: 'short', hour: '2-digit', minute: '2-digit' }),
      zone: format({ timeZoneName: 'long' }),
      shortZone: format({ timeZoneName: 'short' }),
      month: format({ month: 'short' }),
      date: format({ day: 'numeric' }),
      // Swedish dates are `2026-11-16 18:30:05`.
      stamp: format({ dateStyle: 'short', timeStyle: 'medium' }, 'sv-SE'),
    }
    if (made.size >= ZONES_MAX) made.delete(made.keys().next().value as string)
    made.set(key, formats)
  }
  return formats
}

/** UTC for an event without a valid zone. */
export const zoneOf = (timezone: string | null): string =>
  timezone !== null && isTimeZone(timezone) ? timezone : 'UTC'

const stampOf = (at: Date | number, timezone: string | null) =>
  formatsOf(zoneOf(timezone), 'en').stamp.format(at)

/** The local day in a zone, as `2026-11-16`. */
export const localDay = (at: Date | number, timezone: string | null): string =>
  stampOf(at, timezone).slice(0, 10)

const dayNumber = (at: Date, timezone: string | null) => Date.parse(localDay(at, timezone)) / DAY_MS

/** The times of an event in its own zone, independent of the reader's day, so that cached bytes stay true. */
export type When = {
  /** For the calendar leaf. */
  month: string
  date: string
  starts: string
  /** The end: a time of day, or with its day if it lasts longer than a night. */
  until: string
  ends: string | null
  zone: string
  timezone: string
}

/** Word joiner: a line may break after a dash, even before a non-breaking space. */
const UNBROKEN_DASH = '\u00a0–\u2060\u00a0'

const HALF_A_DAY_MS = DAY_MS / 2

/** An event through one night belongs to the day it began. */
function isOneDay({ startTime, endTime, timezone }: Times): boolean {
  if (endTime === null || endTime.getTime() - startTime.getTime() <= HALF_A_DAY_MS) return true
  return localDay(startTime, timezone) === localDay(endTime, timezone)
}

const namePart = (format: Intl.DateTimeFormat, at: Date, otherwise: string) =>
  format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? otherwise

/** Short for cards, long for the page of an event. */
export function whenOf(times: Times, length: 'short' | 'long', { language }: Words): When {
  const { startTime, endTime, timezone } = times
  const named = zoneOf(timezone)
  const { day, shortDay, clock, zone, month, date } = formatsOf(named, language)
  const words = length === 'short' ? shortDay : day
  const full = (at: Date) => `${words.format(at)}, ${clock.format(at)}`
  const isShort = isOneDay(times)
  return {
    month: month.format(startTime),
    date: date.format(startTime),
    starts: full(startTime),
    until: isShort ? UNBROKEN_DASH : ' – ',
    ends: endTime && (isShort ? clock.format(endTime) : full(endTime)),
    zone: namePart(zone, startTime, named),
    timezone: named,
  }
}

/** The day relative to `seenAt`: today, tomorrow, or its name; with the year if it differs. */
export function dayWords(
  at: Date,
  timezone: string | null,
  words: Words,
  { seenAt = now(), length = 'short' }: { seenAt?: Date; length?: 'short' | 'long' } = {},
): string {
  const away = dayNumber(at, timezone) - dayNumber(seenAt, timezone)
  const near = words.when.near[away]
  if (near !== undefined) return near
  const formats = formatsOf(zoneOf(timezone), words.language)
  const isThisYear = localDay(at, timezone).slice(0, 4) === localDay(seenAt, timezone).slice(0, 4)
  const [year, noYear] =
    length === 'short' ? [formats.shortDay, formats.shortDayOfYear] : [formats.day, formats.dayOfYear]
  return (isThisYear ? noYear : year).format(at)
}

export const fullDay = (at: Date, timezone: string | null, { language }: Words): string =>
  formatsOf(zoneOf(timezone), language).day.format(at)

export const clockWords = (at: Date, timezone: string | null, { language }: Words): string =>
  formatsOf(zoneOf(timezone), language).clock.format(at)

/** With the weekday, to compare two zones: `Thu 18:30`. */
export const zonedClock = (at: Date, timezone: string, { language }: Words): string =>
  formatsOf(zoneOf(timezone), language).zoned.format(at)

/** Times are local to the event, so only UTC, which is no place, needs its name. */
const labelled = (at: Date, day: string, timezone: string | null, words: Words): string =>
  words.when.at(day, clockWords(at, timezone, words)) + (zoneOf(timezone) === 'UTC' ? ' UTC' : '')

/** Day and time: `Tomorrow, 18:30`. */
export const momentWords = (at: Date, timezone: string | null, words: Words, seenAt = now()): string =>
  labelled(at, dayWords(at, timezone, words, { seenAt }), timezone, words)

/** The same inside a sentence: `today, 18:30`. */
export function momentOf(at: Date, timezone: string | null, seenAt: Date, words: Words): string {
  const said = dayWords(at, timezone, words, { seenAt, length: 'long' })
  const isNear = Object.values(words.when.near).includes(said)
  return labelled(at, isNear ? said.toLocaleLowerCase() : said, timezone, words)
}

/** A `<time>` element with `Tomorrow, 18:30`. */
export const moment = (at: Date, timezone: string | null, words: Words, seenAt = now()): Html =>
  html`<time datetime="${iso(at)}">${momentWords(at, timezone, words, seenAt)}</time>`

/** The short name of the zone: `CET`. */
export const zoneWords = (at: Date, timezone: string | null, { language }: Words): string =>
  namePart(formatsOf(zoneOf(timezone), language).shortZone, at, zoneOf(timezone))

export function leafWords(at: Date, timezone: string | null, { language }: Words) {
  const { month, date } = formatsOf(zoneOf(timezone), language)
  return { month: month.format(at), date: date.format(at) }
}

/**
 * The times on an event's page in two lines: the day, and the hours with the zone. An event over several days shows both days.
 */
export function longWhen(times: Times, words: Words, seenAt = now()): { day: Html; clock: Html } {
  const { startTime, endTime, timezone } = times
  const { day, clock } = formatsOf(zoneOf(timezone), words.language)
  const time = (at: Date, text: string) => html`<time datetime="${iso(at)}">${text}</time>`
  const named = (at: Date) => {
    const near = words.when.near[dayNumber(at, timezone) - dayNumber(seenAt, timezone)]
    return near === undefined ? day.format(at) : `${near}, ${day.format(at)}`
  }
  const zone = zoneWords(startTime, timezone, words)
  if (endTime === null || isOneDay(times)) {
    const to = endTime && html`${UNBROKEN_DASH}${time(endTime, clock.format(endTime))}`
    return {
      day: time(startTime, named(startTime)),
      clock: html`${clock.format(startTime)}${to}${words.when.hours} ${zone}`,
    }
  }
  return {
    day: time(startTime, words.when.at(named(startTime), clock.format(startTime))),
    clock: html`${words.when.until} ${time(endTime, words.when.at(day.format(endTime), clock.format(endTime)))} ${zone}`,
  }
}

/** The next midnight of a zone, DST-safe. */
function midnightAfter(at: Date, timezone: string | null): number {
  const begun = Math.floor(at.getTime() / 1000) * 1000
  const next = begun - sinceMidnight(begun, timezone) + DAY_MS
  const off = sinceMidnight(next, timezone)
  return off < HALF_A_DAY_MS ? next - off : next + DAY_MS - off
}

function sinceMidnight(at: number, timezone: string | null): number {
  const [hours, minutes, seconds] = stampOf(at, timezone).slice(11).split(':').map(Number)
  return (((hours as number) * 60 + (minutes as number)) * 60 + (seconds as number)) * 1000
}

/** When words such as "tomorrow", "going on" or "over" become stale: at midnight, or when an event begins or ends. */
export function untilWordsChange(
  shown: readonly Times[],
  overAt: (times: Times) => Date = ({ startTime, endTime }) => endTime ?? startTime,
  at = now(),
): number {
  const zones = new Set(shown.map(({ timezone }) => zoneOf(timezone)))
  const turns = shown.flatMap((times) => [times.startTime.getTime(), overAt(times).getTime()])
  return Math.min(
    ...[...zones].map((zone) => midnightAfter(at, zone)),
    ...turns.filter((turn) => turn > at.getTime()),
  )
}
