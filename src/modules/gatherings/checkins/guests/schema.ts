import { type Static, Type } from '@sinclair/typebox'
import { id, line, nullable, optional } from '@/core/fields'
import { orNull, wireId } from '@/core/shapes'
import { mailAddress } from '@/modules/access/sign-in/addresses'
import { CheckinResult } from '../schema'

const inEvent = { groupId: id(), eventId: id() }

export const NewGuest = Type.Object({
  ...inEvent,
  name: optional(nullable(line(1, 100))),
  email: optional(nullable(mailAddress())),
})

export const GuestInput = Type.Object({ ...inEvent, guestId: id() })

export const GuestCheckin = Type.Composite(
  [
    CheckinResult,
    Type.Object({
      guestId: orNull(wireId()),
      userId: orNull(
        Type.String({
          format: 'uuid',
          description: 'The member with that email address and an RSVP, instead of a guest.',
        }),
      ),
      name: Type.String({ description: 'The name on the list.' }),
    }),
  ],
  { $id: 'GuestCheckin' },
)
export type GuestCheckin = Static<typeof GuestCheckin>
