import { config } from '@/config/config'
import { type FeedEvent, type FeedVenue, TEXT_MAX } from './feed'
import type { FeedAnswerRow, FeedEventRow } from './rows-queries'

export type ChosenEvent = FeedEvent & { groupId: string }

/** `answer` is the reader's RSVP in a personal feed. */
export function feedEventOf(event: FeedEventRow, answer: FeedAnswerRow | null): ChosenEvent {
  const given = answer === null || answer.status === 'cancelled' ? null : answer.status
  return {
    id: event.id,
    title: event.title,
    description: event.description && shortened(event.description),
    startTime: new Date(event.startTime),
    endTime: event.endTime === null ? null : new Date(event.endTime),
    overAt: new Date(event.overAt),
    timezone: event.timezone,
    eventType: event.eventType,
    status: event.status === 'cancelled' ? 'cancelled' : 'published',
    cancelReason: event.cancelReason,
    tags: event.tags,
    photoUrl: event.photoUrl,
    venue: venueOf(event),
    onlineUrl: given === 'confirmed' ? event.onlineUrl : null,
    groupId: event.groupId,
    group: { name: event.groupName, urlname: event.groupUrlname },
    url: `${config.baseUrl}/events/${event.id}`,
    sequence: event.sequence + (answer?.changes ?? 0),
    publishedAt: new Date(event.publishedAt ?? event.createdAt),
    updatedAt: new Date(Math.max(event.updatedAt, answer?.changedAt ?? event.updatedAt)),
    answer: given,
  }
}

function shortened(text: string): string {
  if (text.length <= TEXT_MAX) return text
  const cut = text.slice(0, TEXT_MAX)
  return `${cut
    .slice(0, Math.max(cut.lastIndexOf(' '), TEXT_MAX - 100))
    .toWellFormed()
    .trimEnd()} …`
}

type VenueColumns = Pick<FeedEventRow, Extract<keyof FeedEventRow, `venue${string}`>>

export const venueOf = (event: VenueColumns): FeedVenue | null =>
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
