import { config } from '@/config/config'
import type { EventRow, EventWithGroup } from '@/modules/gatherings/events/queries'
import type { FeedEvent, FeedVenue } from './feed'
import type { OwnRow } from './queries'

/** An event for a feed, with the reader's answer where the feed is their own. */
export function feedEventOf({ event, group }: EventWithGroup, answer: OwnRow['answer']): FeedEvent {
  const given = answer === null || answer.status === 'cancelled' ? null : answer.status
  return {
    id: event.id,
    title: event.title,
    description: event.description && shortened(event.description),
    startTime: event.startTime,
    endTime: event.endTime,
    overAt: event.overAt,
    timezone: event.timezone,
    eventType: event.eventType,
    status: event.status === 'cancelled' ? 'cancelled' : 'published',
    cancelReason: event.cancelReason,
    tags: event.tags,
    photoUrl: event.photoUrl,
    venue: venueOf(event),
    onlineUrl: given === 'confirmed' ? event.onlineUrl : null,
    group: { name: group.name, urlname: group.urlname },
    url: `${config.baseUrl}/events/${event.id}`,
    sequence: event.sequence + (answer?.changes ?? 0),
    publishedAt: event.publishedAt ?? event.createdAt,
    updatedAt: later(event.updatedAt, answer?.changedAt),
    answer: given,
  }
}

/** The rest is on the event's page: a feed of long texts would be more than programs take, and than this server can send often. */
const TEXT_MAX = 2000

function shortened(text: string): string {
  if (text.length <= TEXT_MAX) return text
  const cut = text.slice(0, TEXT_MAX)
  return `${cut
    .slice(0, Math.max(cut.lastIndexOf(' '), TEXT_MAX - 100))
    .toWellFormed()
    .trimEnd()} …`
}

const later = (a: Date, b: Date | undefined) => (b !== undefined && b > a ? b : a)

const venueOf = (event: EventRow): FeedVenue | null =>
  event.venueName === null
    ? null
    : {
        name: event.venueName,
        address: event.venueAddress,
        city: event.venueCity,
        state: event.venueState,
        postalCode: event.venuePostalCode,
        country: event.venueCountry,
        latitude: event.venueLatitude,
        longitude: event.venueLongitude,
      }
