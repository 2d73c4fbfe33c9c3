import { type Static, Type } from '@sinclair/typebox'
import { id, nullable, optional, pattern, person, time } from '@/core/fields'
import { orNull, wireId, wireTime } from '@/core/shapes'

export const UserEntitlement = Type.Object(
  {
    id: wireId(),
    entitlement: Type.String(),
    grantedAt: orNull(wireTime()),
    expiresAt: orNull(Type.String({ format: 'date-time', description: 'Null means for ever.' })),
    source: orNull(Type.String({ description: 'How it was granted.' })),
  },
  { $id: 'UserEntitlement' },
)
export type UserEntitlement = Static<typeof UserEntitlement>

const userId = person()

export const NewEntitlementInput = Type.Object({
  userId,
  entitlement: pattern(
    '^[a-z0-9]+(?:[._-][a-z0-9]+)*$',
    1,
    100,
    'must be 1 to 100 lower-case letters or digits, in parts that a dot, a hyphen or an underscore joins',
  ),
  expiresAt: optional(nullable(time())),
})

export const EntitlementInput = Type.Object({ userId, id: id() })
