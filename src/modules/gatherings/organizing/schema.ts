import { Type } from '@sinclair/typebox'
import { id } from '@/core/fields'
import { orNull } from '@/core/shapes'
import { CheckinCode } from '@/modules/gatherings/checkins/schema'
import { EventDetail, EventListItem, Venue } from '@/modules/gatherings/events/schema'
import { RsvpSummary } from '@/modules/gatherings/rsvps/schema'

export const inGroup = { groupId: id() }
export const inEvent = { groupId: id(), eventId: id() }

export const ManagedListItem = Type.Object(
  { ...EventListItem.properties, checkinCount: Type.Number() },
  { $id: 'ManagedEventListItem' },
)
export const ManagedEvent = Type.Object(
  {
    ...EventDetail.properties,
    venue: orNull(
      Type.Object({ ...Venue.properties, postalCode: orNull(Type.String()), country: orNull(Type.String()) }),
    ),
    rsvpSummary: RsvpSummary,
    checkinCount: Type.Number(),
    walkInCount: Type.Number(),
  },
  { $id: 'ManagedEvent' },
)
export const EventCreated = Type.Object(
  { ...EventDetail.properties, checkinCode: CheckinCode },
  { $id: 'EventCreated' },
)
