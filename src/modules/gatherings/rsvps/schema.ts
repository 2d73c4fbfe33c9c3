import { Type } from '@sinclair/typebox'
import { oneOf } from '@/core/fields'
import { orNull, wireId, wireTime } from '@/core/shapes'

export const Rsvp = Type.Object(
  {
    id: wireId(),
    eventId: wireId(),
    status: oneOf(['confirmed', 'waitlisted', 'cancelled'], {
      description: '`confirmed` has a seat, `waitlisted` is in line.',
    }),
    rsvpAt: orNull(wireTime()),
    waitlistPosition: orNull(Type.Number({ description: 'From 1; only while waiting.' })),
  },
  { $id: 'Rsvp' },
)

export const RsvpStatusResponse = Type.Object({ rsvp: orNull(Rsvp) }, { $id: 'RsvpStatusResponse' })

export const RsvpSummary = Type.Object(
  {
    total: Type.Number({ description: 'Confirmed and waitlisted.' }),
    confirmed: Type.Number(),
    waitlisted: Type.Number(),
    cancelled: Type.Number(),
    capacity: orNull(Type.Number()),
  },
  { $id: 'RsvpSummary' },
)

export const EventGuest = Type.Object(
  {
    username: Type.String(),
    name: Type.String(),
    avatarUrl: orNull(Type.String()),
    rsvpAt: wireTime(),
  },
  { $id: 'EventGuest' },
)
