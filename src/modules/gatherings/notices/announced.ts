import { type Static, Type } from '@sinclair/typebox'
import { now } from '@/core/clock'
import { nullable } from '@/core/fields'
import type { Tx } from '@/db/client'
import type { EventRow } from '@/modules/gatherings/events/queries'
import { isOver } from '@/modules/gatherings/events/time'
import type { FeedEvent, FeedVenue } from '@/modules/gatherings/feeds/feed'
import { venueOf } from '@/modules/gatherings/feeds/present'
import { keepAnnounced } from './queries'

/** Stores the announced time and place until the notice is sent, so that moving an event back sends none. */
export async function recordMove(tx: Tx, before: EventRow, after: EventRow): Promise<void> {
  if (before.status !== 'published' || after.status !== 'published' || isOver(after, now())) return
  const announced = announcedOf(before)
  if (!Bun.deepEquals(announced, announcedOf(after))) await keepAnnounced(tx, before.id, announced)
}

/** Time and place of an event as last announced to its guests. */
export const Announced = Type.Object({
  startTime: Type.String(),
  endTime: nullable(Type.String()),
  timezone: Type.String(),
  place: nullable(Type.String()),
  /** A hash, because only confirmed guests may see the URL. */
  online: nullable(Type.String()),
})
export type Announced = Static<typeof Announced>

export const announcedOf = (event: EventRow): Announced => announcedFrom({ ...event, venue: venueOf(event) })

export const announcedFrom = ({
  startTime,
  endTime,
  timezone,
  eventType,
  venue,
  onlineUrl,
}: Pick<
  FeedEvent,
  'startTime' | 'endTime' | 'timezone' | 'eventType' | 'venue' | 'onlineUrl'
>): Announced => ({
  startTime: startTime.toISOString(),
  endTime: endTime?.toISOString() ?? null,
  timezone,
  place: venue === null || eventType === 'online' ? null : venueWords(venue),
  online: onlineUrl === null || eventType === 'physical' ? null : markOf(onlineUrl),
})

export const venueWords = ({ name, address, postalCode, city }: FeedVenue): string =>
  [name, address, [postalCode, city].filter(Boolean).join(' ')].filter(Boolean).join(', ')

const markOf = (url: string) => new Bun.CryptoHasher('sha256').update(url).digest('base64url').slice(0, 16)

/** Which of the announced facts changed. */
export const changesSince = (before: Announced, after: Announced) => ({
  time:
    before.startTime !== after.startTime ||
    before.endTime !== after.endTime ||
    before.timezone !== after.timezone,
  place: before.place !== after.place,
  online: before.online !== after.online,
})
