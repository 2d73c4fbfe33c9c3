import { type Static, Type } from '@sinclair/typebox'
import { id, line, oneOf, optional, time } from '@/core/fields'
import { pageFields } from '@/core/page'
import { orNull, ownUrl, photo, wireId, wireTime } from '@/core/shapes'

const text = () => Type.String()
const textOrNull = () => orNull(Type.String())

export const Venue = Type.Object({
  name: text(),
  address: textOrNull(),
  city: textOrNull(),
  state: textOrNull(),
  latitude: orNull(Type.Number()),
  longitude: orNull(Type.Number()),
  isOnline: orNull(Type.Boolean()),
})

const listed = {
  id: wireId(),
  title: text(),
  description: textOrNull(),
  dateTime: wireTime(),
  endTime: orNull(wireTime()),
  timezone: textOrNull(),
  eventUrl: orNull(ownUrl("The event's page on this service.")),
  platformEventUrl: orNull(
    Type.String({ description: 'The page on the source platform; null for native events.' }),
  ),
  photoUrl: photo(),
  eventType: textOrNull(),
  rsvpCount: orNull(Type.Number({ description: 'Here and upstream together: the number to show.' })),
  localRsvpCount: Type.Number({ description: 'Confirmed here.' }),
  upstreamRsvpCount: orNull(
    Type.Number({ description: 'As the source platform says; null where it says nothing.' }),
  ),
  maxAttendees: orNull(Type.Number()),
  status: oneOf(['draft', 'published', 'cancelled']),
  tags: Type.Array(text()),
  venue: orNull(Venue),
}

export const EventListItem = Type.Object(
  { ...listed, group: orNull(Type.Object({ id: wireId(), name: text(), urlname: textOrNull() })) },
  { $id: 'EventListItem' },
)
export type EventListItem = Static<typeof EventListItem>

const detailed = {
  ...listed,
  duration: orNull(Type.String({ description: 'ISO 8601.' })),
  source: text(),
  cancelReason: textOrNull(),
  onlineUrl: orNull(Type.String({ description: 'For confirmed guests and staff; null for everyone else.' })),
  group: orNull(
    Type.Object({
      id: wireId(),
      name: text(),
      urlname: textOrNull(),
      photoUrl: photo(),
      themeColor: textOrNull(),
    }),
  ),
}

export const EventDetail = Type.Object(detailed, { $id: 'EventDetail' })
export type EventDetail = Static<typeof EventDetail>

export const EventParams = Type.Object({ eventId: id() })

/** Filters of lists and feeds of events. */
export const eventFilters = {
  status: optional(oneOf(['upcoming', 'past', 'all'])),
  cancelled: optional(oneOf(['include'])),
  group: optional(line(1, 500, { description: 'URL names of groups, separated by commas.' })),
  search: optional(line(1, 100, { description: 'A part of the title.' })),
  tag: optional(line(1, 40)),
  city: optional(line(1, 100)),
  type: optional(oneOf(['physical', 'online', 'hybrid'])),
  from: optional(time()),
  to: optional(time()),
  featured: optional(Type.Boolean({ description: 'True: events of featured groups only.' })),
}

const EventFilters = Type.Object(eventFilters)
export type EventFilters = Static<typeof EventFilters>

export const EventListInput = Type.Object({
  ...pageFields,
  ...eventFilters,
  sort: optional(oneOf(['start', 'rsvps', 'created'])),
  direction: optional(oneOf(['asc', 'desc'])),
})
export type EventListInput = Static<typeof EventListInput>
