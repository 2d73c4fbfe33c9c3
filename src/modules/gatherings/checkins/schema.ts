import { type Static, Type } from '@sinclair/typebox'
import { id, line, nullable, oneOf, optional, person, time, whole } from '@/core/fields'
import { pageFields } from '@/core/page'
import { orNull, wireId, wireTime } from '@/core/shapes'

const text = () => Type.String()
const textOrNull = () => orNull(Type.String())

export const CheckinInfo = Type.Object(
  {
    event: Type.Object({
      id: wireId(),
      title: text(),
      startTime: wireTime(),
      endTime: orNull(wireTime()),
      timezone: textOrNull(),
      eventType: textOrNull(),
      photoUrl: textOrNull(),
    }),
    group: orNull(Type.Object({ id: wireId(), name: text(), urlname: textOrNull(), photoUrl: textOrNull() })),
    checkinAvailable: Type.Boolean({ description: 'Whether the code works now.' }),
  },
  { $id: 'CheckinInfo' },
)
export type CheckinInfo = Static<typeof CheckinInfo>

export const CheckinResult = Type.Object(
  { id: wireId(), eventId: wireId(), checkedInAt: wireTime(), method: text() },
  { $id: 'CheckinResult' },
)
export type CheckinResult = Static<typeof CheckinResult>

export const CheckinCode = Type.Object(
  {
    id: wireId(),
    code: Type.String({ description: 'What guests enter or scan.' }),
    label: textOrNull(),
    maxUses: orNull(Type.Number()),
    currentUses: Type.Number(),
    expiresAt: orNull(wireTime()),
    createdAt: orNull(wireTime()),
  },
  { $id: 'CheckinCode' },
)
export type CheckinCode = Static<typeof CheckinCode>

export const Attendee = Type.Object(
  {
    rsvpId: orNull(wireId()),
    userId: orNull(wireId()),
    guest: orNull(
      Type.Object(
        { id: wireId(), name: textOrNull(), email: textOrNull() },
        { description: 'A person without an account. Their name, or else their address, is also in `user`.' },
      ),
    ),
    status: oneOf(['confirmed', 'waitlisted', 'cancelled', 'walk_in'], {
      description: '`walk_in` came without an RSVP.',
    }),
    rsvpAt: orNull(wireTime()),
    waitlistPosition: orNull(Type.Number()),
    checkedIn: Type.Boolean(),
    checkedInAt: orNull(wireTime()),
    method: orNull(oneOf(['link', 'qr', 'nfc', 'manual'])),
    codeLabel: orNull(
      Type.String({ description: 'Label of the check-in code they used, such as the name of a door.' }),
    ),
    user: Type.Object({
      username: textOrNull(),
      name: text(),
      avatarUrl: textOrNull(),
      isPublic: Type.Boolean(),
    }),
  },
  { $id: 'Attendee' },
)
export type Attendee = Static<typeof Attendee>

/** Accepts any line, so that malformed codes answer 404 instead of 400. */
const code = line(1, 100, { description: 'The check-in code, in upper or lower case.' })

export const CodeInput = Type.Object({ code })

export const CheckinInput = Type.Object({ code, method: optional(oneOf(['link', 'qr', 'nfc'])) })

const groupId = id()
const inEvent = { groupId, eventId: id() }

export const EventInput = Type.Object(inEvent)

export const AttendeesInput = Type.Object({
  ...inEvent,
  ...pageFields,
  status: optional(
    oneOf(['confirmed', 'waitlisted', 'cancelled', 'walk_in'], {
      description: 'Only those with this status.',
    }),
  ),
  checkedIn: optional(
    Type.Boolean({ description: 'Only people who are checked in, or only those who are not.' }),
  ),
  search: optional(line(1, 100, { description: 'A part of a name or username.' })),
})

const userId = person()

export const AttendeeInput = Type.Object({ ...inEvent, userId })

export const ManualCheckinInput = Type.Object({
  ...inEvent,
  userId,
  method: optional(oneOf(['manual', 'link', 'qr', 'nfc'])),
})

export const CodesInput = Type.Object({ ...inEvent, ...pageFields })

export const NewCodeInput = Type.Object({
  ...inEvent,
  label: optional(nullable(line(0, 100))),
  maxUses: optional(nullable(whole(1, 1_000_000))),
  expiresAt: optional(nullable(time())),
})

export const CodeOfGroupInput = Type.Object({ groupId, codeId: id() })
