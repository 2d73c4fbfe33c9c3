import { Type } from '@sinclair/typebox'
import { id } from '@/core/fields'
import { CheckinCode } from '@/modules/gatherings/checkins/schema'
import { EventDetail, EventListItem } from '@/modules/gatherings/events/schema'
import { RsvpSummary } from '@/modules/gatherings/rsvps/schema'

export const inGroup = { groupId: id() }
export const inEvent = { groupId: id(), eventId: id() }

export const ManagedListItem = Type.Object(
  { ...EventListItem.properties, checkinCount: Type.Number() },
  { $id: 'ManagedEventListItem' },
)
export const ManagedEvent = Type.Object(
  { ...EventDetail.properties, rsvpSummary: RsvpSummary, checkinCount: Type.Number() },
  { $id: 'ManagedEvent' },
)
export const EventCreated = Type.Object(
  { ...EventDetail.properties, checkinCode: CheckinCode },
  { $id: 'EventCreated' },
)
