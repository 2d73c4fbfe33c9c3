import { type Static, Type } from '@sinclair/typebox'
import { id, line, oneOf, optional, time } from '@/core/fields'
import { pageFields } from '@/core/page'
import { orNull, ownUrl, photo, wireId, wireTime } from '@/core/shapes'

const text = () => Type.String()
const textOrNull = () => orNull(Type.String())

export const Venue = Type.Object({
  name: Type.String({ description: 'Name of the place.' }),
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
  rsvpCount: orNull(
    Type.Number({ description: 'Here and on the source platform together: the number to show.' }),
  ),
  localRsvpCount: Type.Number({ description: 'Confirmed here.' }),
  upstreamRsvpCount: orNull(
    Type.Number({ description: 'As reported by the source platform; null if unknown.' }),
  ),
  maxAttendees: orNull(Type.Number()),
  status: oneOf(['draft', 'published', 'cancelled'], { description: 'Drafts are seen by staff only.' }),
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

export const eventFilters = {
  status: optional(
    oneOf(['upcoming', 'past', 'all'], {
      description: 'Upcoming events (default), past ones, or both.',
    }),
  ),
  cancelled: optional(oneOf(['include'], { description: 'Includes cancelled ones.' })),
  group: optional(line(1, 500, { description: 'URL names of groups, separated by commas.' })),
  search: optional(
    line(1, 100, { description: 'A part of the title, or words of title, description or venue.' }),
  ),
  tag: optional(line(1, 40, { description: 'Only those with this tag.' })),
  city: optional(line(1, 100, { description: 'Only those in this city.' })),
  type: optional(oneOf(['physical', 'online', 'hybrid'], { description: 'Only those of this type.' })),
  from: optional(time({ description: 'Only those that start at this time or later.' })),
  to: optional(time({ description: 'Only those that start at this time or earlier.' })),
  featured: optional(Type.Boolean({ description: 'True: events of featured groups only.' })),
}

const EventFilters = Type.Object(eventFilters)
export type EventFilters = Static<typeof EventFilters>

export const EventListInput = Type.Object({
  ...pageFields,
  ...eventFilters,
  sort: optional(oneOf(['start', 'rsvps', 'created'], { description: 'Sort key.' })),
  direction: optional(oneOf(['asc', 'desc'], { description: 'Ascending or descending.' })),
})
export type EventListInput = Static<typeof EventListInput>
