import { config } from '@/config/config'
import type { EventDetail } from '@/modules/gatherings/events/schema'
import { jsonLd } from '@/web/head'
import type { Html } from '@/web/html'
import type { EventView } from './view'

/** The preview picture of shared links. Services cache it by address, which changes with its content. */
export function previewPath({
  id,
  title,
  dateTime,
  endTime,
  timezone,
  status,
  venue,
  group,
}: EventView['event']) {
  const said = JSON.stringify([title, dateTime, endTime, timezone, status, venue, group?.name])
  return `/events/${id}/preview.png?v=${Bun.hash(said).toString(36)}`
}

/** The event for search engines (schema.org/Event), without unknown fields. */
export function eventFacts({ event, left, phase }: EventView): Html {
  const { group } = event
  return jsonLd({
    '@type': 'Event',
    name: event.title,
    url: event.eventUrl,
    ...(event.description && { description: event.description }),
    startDate: event.dateTime,
    ...(event.endTime && { endDate: event.endTime }),
    eventStatus: `https://schema.org/${event.status === 'cancelled' ? 'EventCancelled' : 'EventScheduled'}`,
    eventAttendanceMode: `https://schema.org/${MODES[event.eventType ?? ''] ?? MODES.physical}`,
    ...locations(event),
    image: [config.baseUrl + previewPath(event)],
    ...(group && {
      organizer: {
        '@type': 'Organization',
        name: group.name,
        url: `${config.baseUrl}/groups/${group.urlname}`,
      },
    }),
    ...(event.maxAttendees !== null && {
      maximumAttendeeCapacity: event.maxAttendees,
      remainingAttendeeCapacity: phase === 'open' ? left : 0,
    }),
  })
}

const MODES: Record<string, string> = {
  physical: 'OfflineEventAttendanceMode',
  online: 'OnlineEventAttendanceMode',
  hybrid: 'MixedEventAttendanceMode',
}

/** The online address is for attendees only: others get this page. */
function locations({ eventType, venue, eventUrl }: EventDetail) {
  const place = venue &&
    eventType !== 'online' && {
      '@type': 'Place',
      name: venue.name,
      address: {
        '@type': 'PostalAddress',
        ...(venue.address && { streetAddress: venue.address }),
        ...(venue.city && { addressLocality: venue.city }),
        ...(venue.state && { addressRegion: venue.state }),
      },
      ...(venue.latitude !== null &&
        venue.longitude !== null && {
          geo: { '@type': 'GeoCoordinates', latitude: venue.latitude, longitude: venue.longitude },
        }),
    }
  const online = (eventType === 'online' || eventType === 'hybrid') && {
    '@type': 'VirtualLocation',
    url: eventUrl,
  }
  const all = [place, online].filter(Boolean)
  return all.length === 0 ? {} : { location: all.length === 1 ? all[0] : all }
}
