import { type Static, Type } from '@sinclair/typebox'
import { id, line, optional, whole } from '@/core/fields'
import { pageFields } from '@/core/page'
import { GroupListItem } from '@/modules/community/groups/schema'

export const AdminGroup = Type.Object(
  {
    ...GroupListItem.properties,
    isListed: Type.Boolean(),
    maxBadges: Type.Number({ description: 'Maximum number of badges of the group.' }),
    maxBadgePoints: Type.Number({ description: 'Maximum points of a badge of the group.' }),
    ownerUsernames: Type.Array(Type.String(), { description: 'Omits owners without a username.' }),
  },
  { $id: 'AdminGroup' },
)
export type AdminGroup = Static<typeof AdminGroup>

export const AllGroupsInput = Type.Object({
  ...pageFields,
  search: optional(line(1, 100, { description: 'A part of a name or urlname.' })),
  featured: optional(Type.Boolean()),
})

export const GroupStandingChange = Type.Object({
  groupId: id(),
  isFeatured: optional(Type.Boolean()),
  isListed: optional(Type.Boolean()),
  maxBadges: optional(whole(0, 1000)),
  maxBadgePoints: optional(whole(0, 1000)),
})
