import { type Static, Type } from '@sinclair/typebox'
import { id, oneOf, optional, person } from '@/core/fields'
import { pageFields } from '@/core/page'
import { orNull, wireId, wireTime } from '@/core/shapes'

const role = () =>
  oneOf(['owner', 'manager', 'volunteer'], {
    description:
      'Volunteers check guests in; managers also run events, badges, staff and settings; owners may do everything.',
  })

export const StaffMember = Type.Object(
  {
    id: wireId(),
    userId: wireId(),
    role: role(),
    createdAt: wireTime(),
    user: Type.Object({
      username: orNull(Type.String()),
      name: Type.String(),
      avatarUrl: orNull(Type.String()),
      isPublic: Type.Boolean(),
    }),
  },
  { $id: 'StaffMember' },
)
export type StaffMember = Static<typeof StaffMember>

export const StaffInput = Type.Object({ groupId: id(), ...pageFields })

export const NewMember = Type.Object({
  groupId: id(),
  userId: person(),
  role: optional(role()),
})

export const MemberInput = Type.Object({ groupId: id(), memberId: id() })

export const MemberChange = Type.Object({ groupId: id(), memberId: id(), role: role() })
