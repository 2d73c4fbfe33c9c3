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
    description: event.description,
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
