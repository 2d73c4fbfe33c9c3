import { Type } from '@sinclair/typebox'
import { id } from '@/core/fields'
import { CheckinCode } from '@/modules/checkins/schema'
import { RsvpSummary } from '@/modules/rsvps/schema'
import { EventDetail, EventListItem } from '../schema'

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
