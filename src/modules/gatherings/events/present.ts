import { config } from '@/config/config'
import { iso } from '@/core/shapes'
import type { EventRow, EventWithGroup } from './queries'
import type { EventDetail, EventListItem } from './schema'
import { duration } from './time'

export const presentListItem = ({ event, group }: EventWithGroup): EventListItem => ({
  ...base(event),
  group: { id: group.id, name: group.name, urlname: group.urlname },
})

/** `onlineUrl` is for attendees and staff only. */
export const presentEvent = ({ event, group }: EventWithGroup, mayJoinOnline: boolean): EventDetail => ({
  ...base(event),
  duration: duration(event.startTime, event.endTime),
  source: event.source,
  cancelReason: event.cancelReason,
  onlineUrl: mayJoinOnline ? event.onlineUrl : null,
  group: {
    id: group.id,
    name: group.name,
    urlname: group.urlname,
    photoUrl: group.photoUrl,
    themeColor: group.themeColor,
  },
})

const base = (event: EventRow) => ({
  id: event.id,
  title: event.title,
  description: event.description,
  dateTime: iso(event.startTime),
  endTime: iso(event.endTime),
  timezone: event.timezone,
  eventUrl: `${config.baseUrl}/events/${event.id}`,
  platformEventUrl: event.platformEventUrl,
  photoUrl: event.photoUrl,
  eventType: event.eventType,
  rsvpCount: event.rsvpCount,
  localRsvpCount: event.confirmedCount,
  upstreamRsvpCount: event.upstreamRsvpCount,
  maxAttendees: event.maxAttendees,
  status: event.status,
  tags: event.tags,
  venue: presentVenue(event),
})

const presentVenue = (event: EventRow) =>
  event.venueName === null
    ? null
    : {
        name: event.venueName,
        address: event.venueAddress,
        city: event.venueCity,
        state: event.venueState,
        latitude: event.venueLatitude,
        longitude: event.venueLongitude,
        isOnline: event.eventType === 'online',
      }
