import {
  escape as escapeText,
  ICalCalendar,
  ICalEvent,
  ICalEventStatus,
  ICalEventTransparency,
  type ICalLocation,
} from 'ical-generator'
import { LINE_ENDS } from '@/core/fields'
import { fold } from '@/core/text'
import { webAddress } from '@/web/prose'
import type { FeedEvent, FeedVenue } from '../feed'
import { clockOf, isPlain, type Zone, zoneOf } from './zones'

/** RFC 5545 allows no control character except tab; some readers also fail on C1 controls. */
const CONTROLS = /[\x00-\x08\x0e-\x1f\x7f-\x9f]/g

/**
 * Cleans user text for iCalendar; the library gets no other text. A line break in a value would start a new property. Lone
 * surrogates go first: removing a character between two would join them.
 */
export const paragraphs = (typed: string): string =>
  typed.toWellFormed().replace(LINE_ENDS, '\n').replace(CONTROLS, '')

export const oneLine = (typed: string): string => paragraphs(typed).replace(/\n+/g, ' ').trim()

/** ical.js joins a name that ends with a backslash to the next one, escaped or not, so trailing backslashes are removed. */
export const names = (typed: readonly string[]): string[] =>
  typed.map((name) => oneLine(name).replace(/[\\\s]+$/, '')).filter((name) => name !== '')

/** For properties that the library writes unescaped. */
export const escapedLine = (typed: string): string => escapeText(oneLine(typed), false)

/** URLs are never escaped in iCalendar, so characters that need escaping or are invalid are percent-encoded. */
export const address = (url: string): string =>
  url.toWellFormed().replace(/%(?![\dA-Fa-f]{2})|[^\w!#$%&'()*+./:=?@[\]~-]/gu, encodeOne)

const encodeOne = (character: string) =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** The library reads an event's zone from its calendar; this one has none. */
const NO_CALENDAR = new ICalCalendar()

/** A VEVENT and the zone that needs a VTIMEZONE. */
export type Entry = { text: string; zone: Zone | null; start: number; end: number }

export function entryOf(event: FeedEvent, host: string): Entry {
  // iCalendar has no fractional seconds, and the end must be after the start.
  const start = Math.floor(event.startTime.getTime() / 1000) * 1000
  const end = Math.ceil(event.overAt.getTime() / 1000) * 1000
  const zone = zoneFor(event.timezone, start, end)
  const at = (time: number) => new Date(zone ? clockOf(zone, time) : time)
  const entry = new ICalEvent(
    {
      id: `${event.id}@${host}`,
      sequence: event.sequence,
      stamp: event.updatedAt,
      lastModified: event.updatedAt,
      created: event.publishedAt,
      start: at(start),
      end: at(end),
      floating: zone !== null,
      summary: summaryOf(event),
      description: descriptionOf(event),
      location: locationOf(event),
      url: address(event.url),
      categories: names(event.tags).map((name) => ({ name })),
      status: statusOf(event),
      transparency: isFree(event) ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
    },
    NO_CALENDAR,
  )
  return { text: fold(withConference(inZone(entry.toString(), zone), event)), zone, start, end }
}

/**
 * The library's time zone support depends on the server's clock or on Temporal, which costs more than all other work. So it gets
 * the local time as UTC, and TZID is added afterwards; user text follows later and has no line breaks.
 */
function inZone(entry: string, zone: Zone | null): string {
  if (zone === null) return entry
  const start = entry.indexOf(START) + START.length
  const end = entry.indexOf(END, start) + END.length
  const named = `;TZID=${zone.id}`
  return entry.slice(0, start) + named + entry.slice(start, end) + named + entry.slice(end)
}

const START = '\r\nDTSTART'
const END = '\r\nDTEND'

/** CONFERENCE (RFC 7986, 5.11) gives programs a join button; the library does not support it. */
function withConference(entry: string, { onlineUrl, status }: FeedEvent): string {
  const url = status === 'cancelled' ? null : webAddress(onlineUrl)
  if (url === null) return entry
  return entry.replace(/END:VEVENT\r\n$/, (end) => `CONFERENCE;VALUE=URI:${address(url)}\r\n${end}`)
}

/** Google Calendar and others ignore STATUS, so the title says it. */
const summaryOf = ({ title, status }: FeedEvent): string =>
  `${status === 'cancelled' ? 'Cancelled: ' : ''}${oneLine(title)}`

/** Null means write in UTC: the local time would be ambiguous. */
function zoneFor(name: string, start: number, end: number): Zone | null {
  const zone = zoneOf(name)
  return zone && isPlain(zone, start) && isPlain(zone, end) ? zone : null
}

function statusOf({ status, answer }: FeedEvent): ICalEventStatus {
  if (status === 'cancelled') return ICalEventStatus.CANCELLED
  return answer === 'waitlisted' ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED
}

/** Events without an RSVP do not block the reader's time. */
const isFree = ({ status, answer }: FeedEvent) => status === 'cancelled' || answer === null

function descriptionOf({ status, cancelReason, description, onlineUrl, group, url }: FeedEvent): string {
  const cancelled = status === 'cancelled' && (cancelReason ? `Cancelled: ${cancelReason}` : 'Cancelled.')
  const online = onlineUrl !== null && `Online: ${onlineUrl}`
  return [cancelled, description, online, `Group: ${oneLine(group.name)}`, url]
    .filter((part) => typeof part === 'string' && part !== '')
    .map((part) => paragraphs(part as string))
    .join('\n\n')
}

function locationOf({ venue, eventType }: FeedEvent): ICalLocation | null {
  const title = venue ? placeName(venue) : eventType === 'online' ? 'Online' : ''
  const geo = venue && geoOf(venue)
  if (title) return geo ? { title, geo } : { title }
  return geo ? { geo } : null
}

const placeName = ({ name, address, city, state, postalCode, country }: FeedVenue): string =>
  [name, address, city, [state, postalCode].filter(Boolean).join(' '), country]
    .map((part) => oneLine(part ?? ''))
    .filter((part, index, parts) => part !== '' && parts.indexOf(part) === index)
    .join(', ')

function geoOf({ latitude, longitude }: FeedVenue): { lat: number; lon: number } | null {
  if (latitude === null || longitude === null) return null
  return { lat: degrees(latitude), lon: degrees(longitude) }
}

/** Six decimals are about 10 cm. The library omits zero coordinates, so they become 1e-6. */
const degrees = (exact: number) => Math.round(exact * 1e6) / 1e6 || 1e-6
