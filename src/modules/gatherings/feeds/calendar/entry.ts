import {
  escape as escapeText,
  ICalCalendar,
  ICalEvent,
  ICalEventStatus,
  ICalEventTransparency,
  type ICalLocation,
} from 'ical-generator'
import { LINE_ENDS } from '@/core/fields'
import { fold } from '@/core/fold'
import { webAddress } from '@/web/web-address'
import type { FeedEvent, FeedVenue } from '../feed'
import { clockOf, isPlain, type Zone, zoneOf } from './zones'

/** RFC 5545 knows no control character but the tab, and some readers stumble over the second set of them too. */
const CONTROLS = /[\x00-\x08\x0e-\x1f\x7f-\x9f]/g

/**
 * What people typed, as a calendar can carry it; the library is given no other text. The end of a line in a value would begin a
 * property of its own. Halves of characters go first: without what stood between them they would be one.
 */
export const paragraphs = (typed: string): string =>
  typed.toWellFormed().replace(LINE_ENDS, '\n').replace(CONTROLS, '')

export const oneLine = (typed: string): string => paragraphs(typed).replace(/\n+/g, ' ').trim()

/** A backslash at the end of one name runs it into the next for ical.js, escaped or not: such a name loses it. */
export const names = (typed: readonly string[]): string[] =>
  typed.map((name) => oneLine(name).replace(/[\\\s]+$/, '')).filter((name) => name !== '')

/** For properties that the library writes as they are. */
export const escapedLine = (typed: string): string => escapeText(oneLine(typed), false)

/** An address is no text and is never escaped: what escaping would touch, or no address may hold, is percent-encoded. */
export const address = (url: string): string =>
  url.toWellFormed().replace(/%(?![\dA-Fa-f]{2})|[^\w!#$%&'()*+./:=?@[\]~-]/gu, encodeOne)

const encodeOne = (character: string) =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** The library asks the calendar of an event for its zone; this one has none. */
const NO_CALENDAR = new ICalCalendar()

/** One event as a VEVENT, and the zone that it needs a VTIMEZONE of. */
export type Entry = { text: string; zone: Zone | null; start: number; end: number }

export function entryOf(event: FeedEvent, host: string): Entry {
  // Fractions of a second are not written, and an end must be later than its start.
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
 * The library reads clocks of zones off the clock of this machine, or off Temporal, which takes it longer than all the rest:
 * it is given what the clock shows instead, and the zone is added. What people typed comes later, and holds no line ends.
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

/** Where guests join online, as an address of its own (RFC 7986, 5.11): programs show a button for it. The library knows no such property. */
function withConference(entry: string, { onlineUrl, status }: FeedEvent): string {
  const url = status === 'cancelled' ? null : webAddress(onlineUrl)
  if (url === null) return entry
  return entry.replace(/END:VEVENT\r\n$/, (end) => `CONFERENCE;VALUE=URI:${address(url)}\r\n${end}`)
}

/** Google and others show nothing of STATUS: the title is what everybody sees. */
const summaryOf = ({ title, status }: FeedEvent): string =>
  `${status === 'cancelled' ? 'Cancelled: ' : ''}${oneLine(title)}`

/** Null: written in UTC, because the clock of the zone would not say when it is. */
function zoneFor(name: string, start: number, end: number): Zone | null {
  const zone = zoneOf(name)
  return zone && isPlain(zone, start) && isPlain(zone, end) ? zone : null
}

function statusOf({ status, answer }: FeedEvent): ICalEventStatus {
  if (status === 'cancelled') return ICalEventStatus.CANCELLED
  return answer === 'waitlisted' ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED
}

/** Whoever has not said that they come is free at that time. */
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

/** Six decimals, a hand's breadth. The library leaves a place on the equator or the prime meridian out, so these are one off. */
const degrees = (exact: number) => Math.round(exact * 1e6) / 1e6 || 1e-6
