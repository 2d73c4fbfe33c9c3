import { type Static, Type } from '@sinclair/typebox'
import { line, oneOf, optional } from '@/core/fields'
import { pageFields } from '@/core/page'
import { orNull, ownUrl, photo, wireId, wireTime } from '@/core/shapes'

const textOrNull = () => orNull(Type.String())

export const GroupListItem = Type.Object(
  {
    id: wireId(),
    urlname: textOrNull(),
    name: Type.String(),
    description: textOrNull(),
    link: orNull(ownUrl("The group's page on this service.")),
    website: textOrNull(),
    memberCount: orNull(Type.Number()),
    photoUrl: photo(),
    tags: Type.Array(Type.String()),
    socialLinks: Type.Record(Type.String(), Type.String(), {
      description: 'Addresses by the name of a service.',
    }),
    isFeatured: orNull(Type.Boolean()),
    favoritesCount: Type.Number(),
  },
  { $id: 'GroupListItem' },
)
export type GroupListItem = Static<typeof GroupListItem>

export const GroupDetail = Type.Object(
  {
    ...GroupListItem.properties,
    heroImageUrl: textOrNull(),
    themeColor: textOrNull(),
    upcomingEvents: Type.Array(
      Type.Object({
        id: wireId(),
        title: Type.String(),
        dateTime: wireTime(),
        eventUrl: orNull(ownUrl()),
        platformEventUrl: textOrNull(),
      }),
    ),
  },
  { $id: 'GroupDetail' },
)
export type GroupDetail = Static<typeof GroupDetail>

export const GroupMember = Type.Object(
  {
    username: textOrNull(),
    name: textOrNull(),
    avatarUrl: textOrNull(),
    favoritedAt: orNull(wireTime()),
  },
  { $id: 'GroupMember' },
)

/** Accepts any line, so that malformed names answer 404 instead of 400. */
export const slug = () => line(1, 100, { description: "The group's name in addresses, in any case." })

export const GroupsInput = Type.Object({
  ...pageFields,
  search: optional(line(1, 100, { description: 'A part of a name.' })),
  tag: optional(line(1, 40, { description: 'Only those with this tag.' })),
  featured: optional(Type.Boolean()),
  sort: optional(
    oneOf(['members', 'name', 'created'], { description: 'Most members first, by name, or newest first.' }),
  ),
})
export type GroupsInput = Static<typeof GroupsInput>
