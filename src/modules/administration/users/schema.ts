import { type Static, Type } from '@sinclair/typebox'
import { line, oneOf, optional, person } from '@/core/fields'
import { pageFields } from '@/core/page'
import { orNull, wireTime } from '@/core/shapes'
import { UserProfile } from '@/modules/account/me/schema'

export const AdminUser = Type.Object(
  {
    ...UserProfile.properties,
    suspended: Type.Boolean(),
    lastLoginAt: orNull(wireTime()),
    groupCount: Type.Number({ description: 'Groups in which the person has a role.' }),
  },
  { $id: 'AdminUser' },
)
export type AdminUser = Static<typeof AdminUser>

const role = () => oneOf(['user', 'admin'], { description: '`admin` may administer the site.' })

export const AccountsInput = Type.Object({
  ...pageFields,
  search: optional(line(1, 100, { description: 'A part of a name, username or mail address.' })),
  role: optional(role()),
})

const userId = person()

export const AccountInput = Type.Object({ userId })

export const AccountChange = Type.Object({
  userId,
  role: optional(role()),
  suspended: optional(Type.Boolean()),
})
