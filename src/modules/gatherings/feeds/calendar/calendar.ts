import { ICalCalendar } from 'ical-generator'
import { inTurns } from '@/core/in-turns'
import type { FeedHead, Renderer } from '../feed'
import { address, type Entry, entryOf, escapedLine } from './entry'
import { calendarHost } from './host'
import { vtimezone } from './vtimezone'
import type { Zone } from './zones'

const HOUR_S = 3600

/** Renders a calendar to subscribe to (RFC 5545, RFC 7986). */
export const renderCalendar: Renderer = async (head, events) => {
  const host = await calendarHost()
  const entries = await inTurns(events, (event) => entryOf(event, host))
  const uses = usesOf(entries)
  const zones = await inTurns(uses, ({ zone, earliest, latest }) => vtimezone(zone, earliest, latest))
  const end = 'END:VCALENDAR'
  const frame = frameOf(head, mostUsed(uses)).slice(0, -end.length)
  return [frame, ...zones, ...entries.map(({ text }) => text), end, '\r\n'].join('')
}

/**
 * The library writes these values unescaped. No METHOD: a feed is no scheduling message (RFC 5545, 3.7.2), and PUBLISH requires an
 * ORGANIZER (RFC 5546, 3.2.1), to which programs send replies that no one reads.
 */
function frameOf(head: FeedHead, zoneId: string | undefined): string {
  return new ICalCalendar({
    prodId: { company: 'Folkmoot', product: 'Feeds', language: 'EN' },
    scale: 'GREGORIAN',
    name: escapedLine(head.title),
    description: escapedLine(head.description),
    url: address(head.pageUrl),
    source: address(head.addresses.ics),
    ttl: HOUR_S,
    x: zoneId === undefined ? {} : { 'X-WR-TIMEZONE': zoneId },
  }).toString()
}

type Use = { zone: Zone; earliest: number; latest: number; times: number }

/** Each time zone once, by name, with the time span it must cover. */
function usesOf(entries: Entry[]): Use[] {
  const uses = new Map<string, Use>()
  for (const { zone, start, end } of entries) {
    if (zone === null) continue
    const use = uses.get(zone.id) ?? { zone, earliest: start, latest: end, times: 0 }
    use.earliest = Math.min(use.earliest, start)
    use.latest = Math.max(use.latest, end)
    use.times += 1
    uses.set(zone.id, use)
  }
  return [...uses.values()].sort((one, other) => (one.zone.id < other.zone.id ? -1 : 1))
}

const mostUsed = (uses: Use[]): string | undefined =>
  uses.reduce<Use | undefined>((most, use) => (most && most.times >= use.times ? most : use), undefined)?.zone
    .id
