import { type Static, Type } from '@sinclair/typebox'
import { id, optional } from '@/core/fields'
import { changes, details, required, userId } from '../manage/schema'
import { ManagedBadge } from '../schema'

export const PlatformBadge = Type.Object(
  {
    ...ManagedBadge.properties,
    hidden: Type.Boolean({ description: 'Visible only to its holders and administrators.' }),
  },
  { $id: 'PlatformBadge' },
)
export type PlatformBadge = Static<typeof PlatformBadge>

const hidden = optional(Type.Boolean())
const badgeId = id()

export const NewPlatformBadge = Type.Object({ ...required, ...details, hidden })
export const PlatformBadgeInput = Type.Object({ badgeId })
export const PlatformBadgeChange = Type.Object({ badgeId, ...changes, hidden })
export const PlatformAwardInput = Type.Object({ badgeId, userId })
