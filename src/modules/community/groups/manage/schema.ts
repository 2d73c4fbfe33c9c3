import { type Static, Type } from '@sinclair/typebox'
import { id, line, nullable, optional, pattern, text, themeColor, webUrl } from '@/core/fields'
import { orNull, wireId, wireTime } from '@/core/shapes'
import { GroupListItem } from '../schema'
import { serviceLinks } from './links'

const textOrNull = () => orNull(Type.String())

const StaffRoleName = Type.String({ description: 'owner, manager or volunteer.' })

export const ManagedGroup = Type.Object(
  {
    id: wireId(),
    name: Type.String(),
    urlname: textOrNull(),
    description: textOrNull(),
    photoUrl: textOrNull(),
    memberCount: orNull(Type.Number()),
    userRole: StaffRoleName,
  },
  { $id: 'ManagedGroup' },
)
export type ManagedGroup = Static<typeof ManagedGroup>

export const ManagedGroupSettings = Type.Object(
  {
    ...ManagedGroup.properties,
    website: textOrNull(),
    tags: GroupListItem.properties.tags,
    socialLinks: GroupListItem.properties.socialLinks,
    heroImageUrl: textOrNull(),
    themeColor: textOrNull(),
    isListed: Type.Boolean(),
    isFeatured: Type.Boolean(),
    createdAt: wireTime(),
    permissions: Type.Object({
      editSettings: Type.Boolean({ description: 'Change the group.' }),
      manageMembers: Type.Boolean({ description: 'Change who is on the staff.' }),
      manageEvents: Type.Boolean({ description: 'Create and change events.' }),
      manageBadges: Type.Boolean({ description: 'Create and award badges.' }),
      checkIn: Type.Boolean({ description: 'Check guests in.' }),
    }),
  },
  { $id: 'ManagedGroupSettings' },
)
export type ManagedGroupSettings = Static<typeof ManagedGroupSettings>

const urlname = pattern(
  '^[a-z0-9](?:[a-z0-9-]*[a-z0-9])$',
  2,
  60,
  'must be 2 to 60 lower-case letters, digits or hyphens, with no hyphen at either end',
)
const name = line(1, 200)
const details = {
  description: optional(nullable(text(0, 5000))),
  website: optional(nullable(webUrl())),
  tags: optional(Type.Array(line(1, 40), { maxItems: 20 })),
  socialLinks: optional(serviceLinks()),
  photoUrl: optional(nullable(webUrl())),
  heroImageUrl: optional(nullable(webUrl())),
  themeColor: optional(nullable(themeColor())),
}

export const GroupRequest = Type.Object({ urlname, name, ...details }, { $id: 'GroupRequest' })

export const GroupInput = Type.Object({ groupId: id() })

export const GroupChange = Type.Object({
  groupId: id(),
  urlname: optional(urlname),
  name: optional(name),
  ...details,
})

export const GroupDeletion = Type.Object({
  groupId: id(),
  confirm: line(1, 100, { description: 'The urlname of the group.' }),
})
